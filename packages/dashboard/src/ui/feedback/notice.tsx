import type { ReactNode } from 'react';

const TONES = {
  info: 'bg-accent-soft text-ink',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};

/** A highlighted message on the page. */
export function Notice({ tone = 'info', children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return <div className={`rounded-lg border border-transparent px-3.5 py-2.5 text-sm ${TONES[tone]}`}>{children}</div>;
}

/** Errors of a form or dialog, announced to screen readers when they appear. */
export function ErrorNotice({ error }: { error: Error | null | undefined }) {
  return (
    <div role="alert" className="empty:hidden">
      {error && <Notice tone="bad">{error.message}</Notice>}
    </div>
  );
}
