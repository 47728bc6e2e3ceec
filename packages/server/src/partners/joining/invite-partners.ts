import { errors, type InviteeOutcome, invitee, type MailRefusal, ServiceError } from '@svc/contract';
import type { Actor } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Transaction } from '../../db/db.ts';
import type { Program } from '../../programs/program.ts';
import { addPartner } from '../add-partner.ts';
import { type KnownPartner, listPartnersByEmail } from '../partner-store.ts';

export type InvitedRow = {
  outcome: InviteeOutcome;
  message: string | null;
  partnerId: number | null;
  invitationId: number | null;
  /** The token of the invitation, if one was created. */
  token: string | null;
  /** Whether its link was mailed, or why not. */
  isMailed: boolean;
  mailRefusal: MailRefusal | null;
};

type Invitee = { name: string; email: string };
/** A row that was read: someone to invite, or what it comes to without anybody being asked. */
export type ReadInvitee = Invitee | Pick<InvitedRow, 'outcome' | 'message'>;

/** A row with nothing but its outcome, and what else is known. */
export const rowOf = (outcome: InviteeOutcome, parts: Partial<InvitedRow> = {}): InvitedRow => ({
  outcome,
  message: null,
  partnerId: null,
  invitationId: null,
  token: null,
  isMailed: false,
  mailRefusal: null,
  ...parts,
});
const refusal = (message: string, partnerId: number | null = null) => rowOf('refused', { message, partnerId });

/** Reads the rows of a list. Those that do not fit, or name an address again, are not invited. */
export function readInvitees(rows: unknown[]): ReadInvitee[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const { data, error } = invitee.safeParse(row);
    if (!data) return { outcome: 'refused', message: error.issues[0]?.message ?? errors.invalidRequest().message };
    const email = data.email.toLowerCase();
    if (seen.has(email)) return { outcome: 'repeated', message: null };
    seen.add(email);
    return data;
  });
}

/**
 * Invites everybody in the list who is not a partner yet. Each row has its own transaction and its own outcome, and sending
 * the same rows again changes nothing. A dry run only says what would happen.
 */
export function invitePartners(
  ctx: Context,
  program: InvitingProgram,
  rows: unknown[],
  { isDryRun, actor }: { isDryRun: boolean; actor: Actor },
): Promise<InvitedRow[]> {
  return settleInvitees(ctx.db, { program, actor }, readInvitees(rows), async (row, expected) =>
    isDryRun ? expected : ctx.db.transaction((tx) => inviteIn(tx, ctx, program, row, actor)),
  );
}

/** What becomes of rows. Only people who are no partners of the program yet are invited; to others, nothing happens. */
export async function settleInvitees(
  db: Queryable,
  { program: { workspaceId, id: programId }, actor }: { program: InvitingProgram; actor: Actor },
  rows: ReadInvitee[],
  inviteNew: (row: Invitee, expected: InvitedRow) => Promise<InvitedRow>,
): Promise<InvitedRow[]> {
  const emails = rows.flatMap((row) => ('email' in row ? [row.email.toLowerCase()] : []));
  const partners = await listPartnersByEmail(db, { workspaceId, programId }, emails);
  const known = new Map(partners.map((each) => [each.email, each]));
  const outcomes: InvitedRow[] = [];
  for (const row of rows) {
    if ('outcome' in row) {
      outcomes.push(rowOf(row.outcome, row));
      continue;
    }
    const expected = expectedOutcome(known.get(row.email.toLowerCase()), actor);
    const isNew = expected.outcome === 'invited' || expected.outcome === 'added';
    outcomes.push(isNew ? await inviteNew(row, expected) : expected);
  }
  return outcomes;
}

type InvitingProgram = Pick<Program, 'id' | 'workspaceId'>;

/** The expected outcome of an invitation (dry run). */
function expectedOutcome(partner: KnownPartner | undefined, { onlyProgramId }: Actor): InvitedRow {
  if (!partner) return rowOf('invited');
  if (partner.joinedItself) return refusal(errors.partnerJoinedItself().message, partner.id);
  if (partner.isMember) return rowOf('already_partner', { partnerId: partner.id });
  const isShared = onlyProgramId !== undefined && partner.isInOtherProgram;
  return rowOf(partner.hasAccount || isShared ? 'added' : 'invited', { partnerId: partner.id });
}

/**
 * Adds and invites one partner as a part of a transaction, and writes nothing where that is refused. The database decides what
 * they were before, also if someone else adds them just now.
 */
export async function inviteIn(
  tx: Transaction,
  ctx: Context,
  { workspaceId, id: programId }: InvitingProgram,
  { name, email }: Invitee,
  actor: Actor,
): Promise<InvitedRow> {
  try {
    const newPartner = { workspaceId, programId, name, email };
    const added = await addPartner(tx, ctx, newPartner, { actor, invitesAgain: false });
    const { id: partnerId, invitationId, token, isMailed, mailRefusal } = added;
    if (!added.isNewMember) return rowOf('already_partner', { partnerId });
    if (token === null) return rowOf('added', { partnerId });
    return rowOf('invited', { partnerId, invitationId, token, isMailed, mailRefusal });
  } catch (error) {
    if (error instanceof ServiceError) return refusal(error.message);
    throw error;
  }
}
