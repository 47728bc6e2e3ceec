import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { type Program, rulesInForce } from '../programs/program.ts';
import { earningsIn } from './earnings.ts';
import { findStanding, listRecruits } from './groups/placement-store.ts';

/** Whom an offer is made to. */
type Reader = {
  program: Program /** Null for a new partner, who will be in the default group. */;
  partnerId: number | null;
};

/** What a partner earns under the rules in force, in sentences: the same wherever it is said. */
export async function describeOffer(
  db: Queryable,
  { now }: Pick<Context, 'now'>,
  { program, partnerId }: Reader,
): Promise<string[]> {
  const { id, defaultGroupId: groupId } = program;
  // Without rules, nobody's group matters.
  const hasRules = rulesInForce(program, now()).length > 0;
  const standing = hasRules && partnerId !== null ? await findStanding(db, id, partnerId) : null;
  const recruits = standing && (await listRecruits(db, id, standing.partnerId));
  return earningsIn(program, now())({ partnerId: 0, groupId, ...standing, recruits: recruits ?? [] });
}
