import { type ReactNode, useEffect } from 'react';
import mark from '../../mark.svg';

type FrontPageProps = { title: string; words?: ReactNode; children?: ReactNode; footer?: ReactNode };

/** A page with one thing to do, for people who are not inside yet. */
export function FrontPage({ title, words, children, footer }: FrontPageProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="grid min-h-dvh place-items-center px-4 py-10">
      <main className="w-full max-w-[26rem]">
        <img src={mark} alt="svc" className="mb-6 size-10" />
        <div className="rounded-2xl border border-line bg-card p-6 shadow-card sm:p-8">
          <h1 className="text-2xl leading-tight font-semibold tracking-tight">{title}</h1>
          {words && <div className="mt-2 text-quiet">{words}</div>}
          {children && <div className="mt-6">{children}</div>}
        </div>
        {footer && <div className="mt-4 text-center text-sm text-quiet">{footer}</div>}
      </main>
    </div>
  );
}
