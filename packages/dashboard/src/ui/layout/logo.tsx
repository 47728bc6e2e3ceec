import mark from '../../mark.svg';

type LogoProps = { alt?: string; className?: string };

/** The product’s logo; decorative unless it has an `alt`. */
export function Logo({ alt = '', className = 'size-8' }: LogoProps) {
  return <img src={mark} alt={alt} className={`shrink-0 ${className}`} />;
}
