import { Avatar } from '../records/avatar.tsx';

type Brand = { name: string; logo_url: string | null };

/** The path of an image of this service. Pages load images from their own origin only, under whatever name it is opened. */
function pathOfImage(url: string): string {
  return new URL(url, window.location.href).pathname;
}

/** A brand’s logo or, without one, the initials of its name. The name itself is beside it. */
export function BrandLogo({ brand, className = 'size-8' }: { brand: Brand; className?: string }) {
  if (!brand.logo_url) return <Avatar name={brand.name} size="medium" />;
  return <img src={pathOfImage(brand.logo_url)} alt="" className={`shrink-0 rounded-lg object-contain ${className}`} />;
}
