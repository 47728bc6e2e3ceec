import type { ReactNode } from 'react';

const TONES = {
  neutral: 'bg-sunken text-quiet',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};
export type Tone = keyof typeof TONES;

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

/** The colour and the words of every state that rows can be in. */
const STATES: Record<string, [Tone, string]> = {
  active: ['good', 'Active'],
  invited: ['accent', 'Invited'],
  applied: ['warn', 'Applied'],
  blocked: ['bad', 'Blocked'],
  removed: ['neutral', 'Removed'],
  click: ['neutral', 'Clicked'],
  lead: ['accent', 'Signed up'],
  conversion: ['good', 'Customer'],
  recorded: ['good', 'Paid'],
  partially_refunded: ['warn', 'Partly refunded'],
  refunded: ['bad', 'Refunded'],
  pending: ['warn', 'Pending'],
  approved: ['accent', 'Approved'],
  paid: ['good', 'Paid'],
  reversed: ['bad', 'Reversed'],
  partially_reversed: ['warn', 'Partly reversed'],
  rejected: ['bad', 'Rejected'],
  open: ['warn', 'Open'],
  owner: ['accent', 'Owner'],
  member: ['neutral', 'Member'],
  partner: ['neutral', 'Partner'],
};

export function StateBadge({ state }: { state: string }) {
  const [tone, words] = STATES[state] ?? ['neutral', state.replaceAll('_', ' ')];
  return <Badge tone={tone}>{words}</Badge>;
}
