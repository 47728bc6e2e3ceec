import { canPay, describeEarnings } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { type Program, rulesInForce } from '../programs/program.ts';
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
  const rules = rulesInForce(program, now());
  const { id, defaultGroupId: groupId, currency } = program;
  // Without rules, nobody's group matters.
  const standing = rules.length === 0 || partnerId === null ? null : await findStanding(db, id, partnerId);
  const recruits = standing && (await listRecruits(db, id, standing.partnerId));
  const partner = { partnerId: 0, groupId, ...standing, recruits: recruits ?? [] };
  return describeEarnings(
    rules.filter((rule) => canPay(rule, partner)),
    {
      commission_type: program.commissionType,
      commission_rate: Number(program.commissionRate),
      commission_base: program.commissionBase,
      recurring_months: program.recurringMonths,
      currency,
    },
  );
}
