import { type ReactNode, useEffect, useRef } from 'react';
import { useDocumentTitle } from './document-title.ts';
import { Logo } from './logo.tsx';

type AuthLayoutProps = {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  /** The logo of the brand that the page is about, instead of the product’s. */
  logo?: ReactNode;
};

/** A page with a single card, for sign-in and other steps outside a program. */
export function AuthLayout({ title, description, children, footer, logo }: AuthLayoutProps) {
  useDocumentTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  // A step that replaces the one with the pressed button is read from its beginning.
  useEffect(() => {
    const isStep = navigator.userActivation?.hasBeenActive && document.activeElement === document.body;
    if (isStep && title) heading.current?.focus();
  }, [title]);
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] place-items-center px-4 py-10">
      <main className="w-full max-w-[26rem]">
        {logo ? (
          <div className="mb-6">{logo}</div>
        ) : (
          <p className="mb-6 flex items-center gap-3 text-lg font-semibold tracking-tight">
            <Logo className="size-10" /> svc
          </p>
        )}
        <div className="rounded-2xl border border-line bg-card p-6 wrap-break-word shadow-card sm:p-8">
          <h1 ref={heading} tabIndex={-1} className="text-2xl leading-tight font-semibold tracking-tight outline-none">
            {title}
          </h1>
          {description && <div className="mt-2 text-quiet">{description}</div>}
          {children && <div className="mt-6">{children}</div>}
        </div>
        {footer && <div className="mt-4 text-center text-sm text-quiet">{footer}</div>}
      </main>
    </div>
  );
}
