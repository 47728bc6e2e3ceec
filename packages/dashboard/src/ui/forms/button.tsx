import type { ComponentProps } from 'react';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap motion-safe:transition-colors ' +
  'disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60';
const SIZES = { medium: 'h-10 px-4 text-sm', small: 'h-8 px-3 text-caption' };
const VARIANTS = {
  // The border shows where backgrounds are not drawn.
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line bg-card text-ink shadow-card hover:bg-sunken',
  ghost: 'text-quiet hover:bg-sunken hover:text-ink',
  danger: 'border border-bad/40 bg-card text-bad hover:bg-bad-soft',
};

export type ButtonVariant = keyof typeof VARIANTS;
type ButtonStyle = { variant?: ButtonVariant; size?: keyof typeof SIZES };

/** The classes of a button, for links that look like one. */
export function buttonClass({ variant = 'secondary', size = 'medium' }: ButtonStyle = {}): string {
  return `${BASE} ${SIZES[size]} ${VARIANTS[variant]}`;
}

type ButtonProps = ComponentProps<'button'> & ButtonStyle & { isBusy?: boolean };

export function Button({ variant, size, isBusy = false, className = '', children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      // Not disabled while it is busy: it would lose the focus.
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass({ variant, size })} ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
