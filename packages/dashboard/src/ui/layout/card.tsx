import { type ReactNode, useEffect } from 'react';

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <section className={`rounded-xl border border-line bg-card shadow-card ${className}`}>{children}</section>;
}

type TitledProps = { title: string; words?: ReactNode; action?: ReactNode; children: ReactNode; id?: string };

/** A part of a page with its own heading. */
export function TitledCard({ title, words, action, children, id }: TitledProps) {
  return (
    <section id={id} aria-label={title} className="rounded-xl border border-line bg-card shadow-card">
      <header className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4.5 pb-1">
        <div className="min-w-0">
          <h2 className="text-base font-semibold">{title}</h2>
          {words && <p className="mt-0.5 max-w-prose text-sm text-quiet">{words}</p>}
        </div>
        {action}
      </header>
      <div className="px-5 pt-3 pb-5">{children}</div>
    </section>
  );
}

/** The heading of a page, what it is for, and what can be done on it. */
export function PageHead({ title, words, children }: { title: string; words?: ReactNode; children?: ReactNode }) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-[1.625rem] leading-tight font-semibold tracking-tight">{title}</h1>
        {words && <p className="mt-1.5 max-w-[68ch] text-quiet">{words}</p>}
      </div>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}
