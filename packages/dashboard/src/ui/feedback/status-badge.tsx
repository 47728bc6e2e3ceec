import { ROLES } from '@svc/contract';
import {
  Ban,
  CircleCheck,
  CircleCheckBig,
  CircleMinus,
  CircleX,
  Clock,
  Crown,
  Eye,
  FilePen,
  Hand,
  HandCoins,
  Handshake,
  Hourglass,
  type LucideIcon,
  MailOpen,
  MousePointerClick,
  Send,
  Undo2,
  UserRoundCheck,
  UserRoundCog,
} from 'lucide-react';
import { labelOf } from '../../rules/label.ts';
import { Badge, type Tone } from './badge.tsx';

type StatusLook = readonly [Tone, label: string, LucideIcon];

/** Color, label and icon of every status that a row can have. */
const STATUSES = {
  active: ['good', 'Active', CircleCheck],
  applied: ['warn', 'Applied', Hourglass],
  invited: ['accent', 'Invited', MailOpen],
  blocked: ['bad', 'Blocked', Ban],
  removed: ['neutral', 'Removed', CircleMinus],
  click: ['neutral', 'Clicked', MousePointerClick],
  lead: ['accent', 'Signed up', UserRoundCheck],
  conversion: ['good', 'Customer', CircleCheck],
  // Not “Paid”: beside a commission, that would read as paid to the partner.
  recorded: ['good', 'Recorded', CircleCheck],
  partially_refunded: ['warn', 'Partially refunded', Undo2],
  refunded: ['bad', 'Refunded', Undo2],
  pending: ['warn', 'Pending', Clock],
  held: ['warn', 'Held for review', Hand],
  delivered: ['good', 'Delivered', CircleCheck],
  disabled: ['neutral', 'Disabled', CircleMinus],
  approved: ['accent', 'Approved', CircleCheck],
  draft: ['neutral', 'Draft', FilePen],
  sent: ['accent', 'Sent', Send],
  settled: ['good', 'Settled', CircleCheckBig],
  paid: ['good', 'Paid', CircleCheckBig],
  returned: ['bad', 'Returned', Undo2],
  reversed: ['bad', 'Reversed', Undo2],
  partially_reversed: ['warn', 'Partially reversed', Undo2],
  rejected: ['bad', 'Rejected', CircleX],
  open: ['warn', 'Open', Hourglass],
  failed: ['bad', 'Failed', CircleX],
  cancelled: ['neutral', 'Canceled', CircleMinus],
  owner: ['accent', 'Owner', Crown],
  member: ['neutral', ROLES.member.name, UserRoundCog],
  finance: ['neutral', ROLES.finance.name, HandCoins],
  viewer: ['neutral', ROLES.viewer.name, Eye],
  partner: ['neutral', 'Partner', Handshake],
} as const satisfies Record<string, StatusLook>;

type Status = keyof typeof STATUSES;
const KNOWN: Record<string, StatusLook | undefined> = STATUSES;

export function StatusBadge({ status }: { status: string }) {
  const [tone, label, icon] = KNOWN[status] ?? ['neutral', labelOf(status)];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

/** Statuses with their labels, as options of a filter. */
export function statusOptions<Name extends Status>(statuses: readonly Name[]): [Name, string][] {
  return statuses.map((status) => [status, STATUSES[status][1]]);
}
