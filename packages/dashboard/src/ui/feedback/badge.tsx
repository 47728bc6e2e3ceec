import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  neutral: 'bg-sunken text-quiet',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};
export type Tone = keyof typeof TONES;

type BadgeProps = { tone?: Tone; icon?: LucideIcon; children: ReactNode };

/** A word or two about the state of something. */
export function Badge({ tone = 'neutral', icon: Icon, children }: BadgeProps) {
  return (
    <span
      data-badge
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {Icon && <Icon size={12} strokeWidth={2.25} aria-hidden className="-ml-0.5 shrink-0" />}
      {children}
    </span>
  );
}
