import { errors, type InviteeOutcome, invitee, ServiceError } from '@svc/contract';
import type { Actor } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Program } from '../../programs/program.ts';
import { addPartner } from '../add-partner.ts';
import { type KnownPartner, listPartnersByEmail } from '../partner-store.ts';

export type InvitedRow = {
  outcome: InviteeOutcome;
  message: string | null;
  partnerId: number | null;
  /** The token of the invitation, if one was created. */
  token: string | null;
  /** Whether its link was mailed. */
  isMailed: boolean;
};

type Invitee = { name: string; email: string };

const rowOf = (outcome: InviteeOutcome, parts: Partial<InvitedRow> = {}): InvitedRow => ({
  outcome,
  message: null,
  partnerId: null,
  token: null,
  isMailed: false,
  ...parts,
});
const refusal = (message: string) => rowOf('refused', { message });

/**
 * Invites everybody in the list who is not a partner yet. Each row has its own transaction and its own outcome, and sending
 * the same rows again changes nothing. A dry run only says what would happen.
 */
export async function invitePartners(
  ctx: Context,
  program: Program,
  rows: unknown[],
  { isDryRun, actor }: { isDryRun: boolean; actor: Actor },
): Promise<InvitedRow[]> {
  const parsed = rows.map((row) => invitee.safeParse(row));
  const emails = parsed.flatMap(({ data }) => (data ? [data.email.toLowerCase()] : []));
  const scope = { workspaceId: program.workspaceId, programId: program.id };
  const known = new Map((await listPartnersByEmail(ctx.db, scope, emails)).map((each) => [each.email, each]));
  const seen = new Set<string>();
  const outcomes: InvitedRow[] = [];
  for (const { data, error } of parsed) {
    const email = data?.email.toLowerCase() ?? '';
    if (!data) outcomes.push(refusal(error.issues[0]?.message ?? errors.invalidRequest().message));
    else if (seen.has(email)) outcomes.push(rowOf('repeated'));
    else outcomes.push(await settle(data, known.get(email)));
    seen.add(email);
  }
  return outcomes;

  async function settle(row: Invitee, partner: KnownPartner | undefined): Promise<InvitedRow> {
    const expected = expectedOutcome(partner);
    const isNew = expected.outcome === 'invited' || expected.outcome === 'added';
    return isNew && !isDryRun ? inviteOne(ctx, program, row, actor) : expected;
  }
}

/** The expected outcome of an invitation (dry run). */
function expectedOutcome(partner: KnownPartner | undefined): InvitedRow {
  if (!partner) return rowOf('invited');
  if (partner.joinedItself) return refusal(errors.partnerJoinedItself().message);
  if (partner.isMember) return rowOf('already_partner', { partnerId: partner.id });
  return rowOf(partner.hasAccount ? 'added' : 'invited', { partnerId: partner.id });
}

/** Adds and invites one partner. The database decides what they were before, also if someone else adds them just now. */
async function inviteOne(ctx: Context, program: Program, { name, email }: Invitee, actor: Actor): Promise<InvitedRow> {
  const { workspaceId, id: programId } = program;
  try {
    return await ctx.db.transaction(async (tx) => {
      const newPartner = { workspaceId, programId, name, email };
      const added = await addPartner(tx, ctx, newPartner, { actor, invitesAgain: false });
      const { id: partnerId, token, isMailed } = added;
      if (!added.isNewMember) return rowOf('already_partner', { partnerId });
      return added.hasAccount ? rowOf('added', { partnerId }) : rowOf('invited', { partnerId, token, isMailed });
    });
  } catch (error) {
    if (error instanceof ServiceError) return refusal(error.message);
    throw error;
  }
}
