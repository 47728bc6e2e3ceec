import type { ReactNode } from 'react';

const TONES = {
  info: 'bg-accent-soft text-ink',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};

/** A sentence or two that must not be missed. */
export function Notice({ tone = 'info', children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return <div className={`rounded-lg px-3.5 py-2.5 text-sm ${TONES[tone]}`}>{children}</div>;
}
