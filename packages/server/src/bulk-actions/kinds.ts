import type { BulkChange, BulkKind } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import { reviewIn } from '../commissions/review-commissions.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { changeMembershipIn } from '../partners/change-membership.ts';
import { findPartner } from '../partners/partner-store.ts';
import { markPaidIn } from '../payout-runs/close-payout.ts';
import { payBalances, type SeenBalance } from '../payouts/create-payouts.ts';
import type { Program } from '../programs/program.ts';
import type { SliceResult } from './bulk-action-store.ts';

/** Everything that a slice is worked on with. It is written in the transaction that takes it from what is left to do. */
export type Slice = {
  tx: Transaction;
  ctx: Context;
  program: Pick<Program, 'id' | 'workspaceId'>;
  change: BulkChange;
  actor: Actor;
};

type Kind = {
  /** How many rows are changed in one transaction. */
  sliceSize: number;
  /** Changes the rows, and says what became of each: `done`, or why it was skipped. */
  apply: (slice: Slice, items: never[]) => Promise<string[]>;
};

/** What each kind of bulk action does to its rows. */
export const KINDS: Record<BulkKind, Kind> = {
  review_commissions: {
    sliceSize: 200,
    async apply({ tx, ctx, program, change: { action = 'approve', reason }, actor }, ids: number[]) {
      const reviewed = await reviewIn(tx, ctx, program, ids, { action, reason, actor });
      return reviewed.map(({ outcome, status, isInPayout }) =>
        outcome === 'done' ? 'done' : isInPayout ? 'in_payout' : (status ?? 'not_found'),
      );
    },
  },
  mark_payouts_paid: {
    sliceSize: 100,
    async apply({ tx, ctx, program, change, actor }, ids: number[]) {
      const marked = await markPaidIn(tx, ctx, program, ids, { reference: change.reference ?? null, actor });
      return marked.map(({ outcome }) => outcome);
    },
  },
  create_payouts: {
    sliceSize: 100,
    apply({ tx, ctx, program, change, actor }, balances: SeenBalance[]) {
      const only = {
        includesInactive: change.include_inactive ?? false,
        ...(change.with_payout_method && { hasPayoutMethod: true }),
      };
      return payBalances(tx, ctx, program, balances, { only, actor });
    },
  },
  change_partners: {
    sliceSize: 25,
    async apply({ tx, ctx, program, change, actor }, ids: number[]) {
      const outcomes: string[] = [];
      const changes = { status: change.status, groupId: change.group_id };
      for (const id of ids) {
        const partner = await findPartner(tx, program.id, id);
        const { from_status: from } = change;
        outcomes.push(
          partner ? await changeMembershipIn(tx, ctx, program, partner, { ...changes, from }, actor) : 'not_found',
        );
      }
      return outcomes;
    },
  },
};

/** How many rows were changed, and how many were skipped for which reason. */
export function resultOf(outcomes: string[]): SliceResult {
  const skipped: Record<string, number> = {};
  for (const outcome of outcomes) if (outcome !== 'done') skipped[outcome] = (skipped[outcome] ?? 0) + 1;
  return { changed: outcomes.filter((outcome) => outcome === 'done').length, skipped };
}
