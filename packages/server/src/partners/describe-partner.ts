import { errors, type PartnerEvent, type PartnerRow } from '@svc/contract';
import { listAuditEvents, type StoredAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { listPartnerMethods, type PartnerMethod } from '../payout-methods/payout-method-store.ts';
import type { Program } from '../programs/program.ts';
import { type GroupMove, listMoves } from './groups/placement-store.ts';
import {
  type AcceptedAgreement,
  findPartnerDetails,
  listAcceptedAgreements,
  type PartnerDetails,
} from './partner-details-store.ts';
import { findPartnerRow } from './partner-list-store.ts';
import type { Partner } from './partner-store.ts';

export type DescribedPartner = PartnerDetails & {
  partner: PartnerRow;
  agreements: AcceptedAgreement[];
  method: PartnerMethod | null;
};

/** Everything that the brand knows about one partner of the program, except for numbers. */
export async function describePartner(ctx: Context, program: Program, partnerId: number): Promise<DescribedPartner> {
  const [partner, details, agreements, methods] = await Promise.all([
    findPartnerRow(ctx.db, program.id, partnerId),
    findPartnerDetails(ctx.db, program.id, partnerId),
    listAcceptedAgreements(ctx.db, program.id, partnerId),
    listPartnerMethods(ctx.db, program.id, [partnerId]),
  ]);
  if (!partner || !details) throw errors.notFound();
  return { partner, ...details, agreements, method: methods[0] ?? null };
}

export type HistoryEntry = { event: PartnerEvent; by: string | null; at: Date } & Pick<
  Partial<GroupMove>,
  'group' | 'tier'
>;

const MAX_EVENTS = 200;

/**
 * What happened to the partner in the program, newest first. It begins with the day on which they became a member or applied,
 * also if nothing else was recorded then.
 */
export async function describeHistory(
  ctx: Context,
  program: Program,
  partner: Pick<Partner, 'id' | 'createdAt'>,
): Promise<HistoryEntry[]> {
  const subject = { type: 'partner', id: partner.id } as const;
  const [stored, moves] = await Promise.all([
    listAuditEvents(ctx.db, program.workspaceId, subject, MAX_EVENTS),
    listMoves(ctx.db, program.id, partner.id, MAX_EVENTS),
  ]);
  const entries = stored.flatMap((event): HistoryEntry[] => {
    const happened = isAbout(event, program) ? eventsOf(event) : [];
    return happened.map((each) => ({ event: each, by: event.actorName, at: event.createdAt }));
  });
  const hasStart = entries.some(({ event }) => event === 'added' || event === 'applied' || event === 'joined');
  const known = hasStart ? entries : [...entries, { event: 'added' as const, by: null, at: partner.createdAt }];
  const moved = moves.map((move): HistoryEntry => ({ event: 'moved', by: moverOf(move, stored), ...move }));
  // Both are sorted already, and of two that happened at the same time the move comes first.
  return [...moved, ...known].sort((one, other) => other.at.getTime() - one.at.getTime());
}

/** Who moved the partner, which is what the audit log says about that moment. */
function moverOf({ at, tier }: GroupMove, stored: StoredAuditEvent[]): string | null {
  if (tier) return null;
  return (
    stored.find(({ after, createdAt }) => 'group_id' in after && createdAt.getTime() === at.getTime())?.actorName ??
    null
  );
}

/** What happens to a partner in one program. Invitations and accounts are for all programs of the workspace. */
const IN_ONE_PROGRAM = [
  'partner.added',
  'partner.applied',
  'partner.joined',
  'partner.status_changed',
  'partner.group_changed',
];

function isAbout({ action, programId }: StoredAuditEvent, program: Program): boolean {
  return !IN_ONE_PROGRAM.includes(action) || programId === program.id;
}

const EVENTS: Record<string, PartnerEvent> = {
  'partner.added': 'added',
  'partner.invited': 'invited',
  'partner.invitation_accepted': 'invitation_accepted',
  'partner.applied': 'applied',
  'partner.joined': 'joined',
  'partner.account_replaced': 'handed_over',
};

/** What one row says, newest first: most new partners are invited as they are added. */
function eventsOf(event: StoredAuditEvent): PartnerEvent[] {
  const happened = eventOf(event);
  if (happened === null) return [];
  return happened === 'added' && event.after.invitation_id !== undefined ? ['invited', 'added'] : [happened];
}

function eventOf({ action, before, after }: StoredAuditEvent): PartnerEvent | null {
  if (action !== 'partner.status_changed') return EVENTS[action] ?? null;
  const isApplication = before.status === 'applied';
  switch (after.status) {
    case 'active':
      return isApplication ? 'approved' : 'reactivated';
    case 'removed':
      return isApplication ? 'declined' : 'removed';
    case 'blocked':
      return 'blocked';
    default:
      return null;
  }
}
