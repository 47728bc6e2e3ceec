import { labelOf } from '../../rules/label.ts';
import { Badge, type Tone } from './badge.tsx';

/** Color and label of every status that a row can have. */
const STATUSES = {
  active: ['good', 'Active'],
  applied: ['warn', 'Applied'],
  blocked: ['bad', 'Blocked'],
  removed: ['neutral', 'Removed'],
  click: ['neutral', 'Clicked'],
  lead: ['accent', 'Signed up'],
  conversion: ['good', 'Customer'],
  recorded: ['good', 'Paid'],
  partially_refunded: ['warn', 'Partially refunded'],
  refunded: ['bad', 'Refunded'],
  pending: ['warn', 'Pending'],
  approved: ['accent', 'Approved'],
  paid: ['good', 'Paid'],
  reversed: ['bad', 'Reversed'],
  partially_reversed: ['warn', 'Partially reversed'],
  rejected: ['bad', 'Rejected'],
  open: ['warn', 'Open'],
  cancelled: ['neutral', 'Canceled'],
  owner: ['accent', 'Owner'],
  member: ['neutral', 'Member'],
  partner: ['neutral', 'Partner'],
} as const satisfies Record<string, [Tone, string]>;

type Status = keyof typeof STATUSES;
const KNOWN: Record<string, readonly [Tone, string] | undefined> = STATUSES;

export function StatusBadge({ status }: { status: string }) {
  const [tone, label] = KNOWN[status] ?? ['neutral', labelOf(status)];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Statuses with their labels, as options of a filter. */
export function statusOptions<Name extends Status>(statuses: readonly Name[]): [Name, string][] {
  return statuses.map((status) => [status, STATUSES[status][1]]);
}
