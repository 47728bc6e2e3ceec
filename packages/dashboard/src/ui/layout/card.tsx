import type { ReactNode } from 'react';

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <section className={`rounded-xl border border-line bg-card shadow-card ${className}`}>{children}</section>;
}

type TitledCardProps = { title: string; description?: ReactNode; action?: ReactNode; children: ReactNode };

/** A card with a heading, announced to screen readers as a region of that name. */
export function TitledCard({ title, description, action, children }: TitledCardProps) {
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-card shadow-card">
      <header
        className={`flex flex-wrap justify-between gap-3 px-5 pt-4.5 pb-1 ${description ? 'items-start' : 'min-h-12.5 items-center'}`}
      >
        <div className="min-w-0">
          <h2 className="text-base font-semibold">{title}</h2>
          {description && <p className="mt-0.5 max-w-prose text-sm text-quiet">{description}</p>}
        </div>
        {action}
      </header>
      <div className="px-5 pt-3 pb-5">{children}</div>
    </section>
  );
}
