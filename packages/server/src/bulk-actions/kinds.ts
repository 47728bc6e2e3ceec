import type { BulkKind, WorkspaceRole } from '@svc/contract';
import { reviewIn } from '../commissions/review-commissions.ts';
import { changeCouponIn } from '../coupons/add-coupon.ts';
import { type MessageItem, sendToPartners } from '../messages/send-message.ts';
import { changeMembershipIn } from '../partners/change-membership.ts';
import { changeLinkIn, deleteLinkIn } from '../partners/links/change-link.ts';
import { findPartner } from '../partners/partner-store.ts';
import { markPaidIn } from '../payout-runs/close-payout.ts';
import { payBalances, type SeenBalance } from '../payouts/create-payouts.ts';
import type { SliceResult } from './bulk-action-store.ts';
import { inviteSlice, inviteSliceAgain } from './invite-slice.ts';
import type { Slice } from './slice.ts';

type Kind = {
  /** The role that the person who started it needs, until it is done. */
  role: WorkspaceRole;
  /** How many rows are changed in one transaction. */
  sliceSize: number;
  /** Changes the rows, and says what became of each: `done`, or why it was skipped. */
  apply: (slice: Slice, items: never[]) => Promise<string[]>;
};

/** What each kind of bulk action does to its rows. */
export const KINDS: Record<BulkKind, Kind> = {
  review_commissions: {
    role: 'finance',
    sliceSize: 200,
    async apply({ tx, ctx, program, change: { action = 'approve', reason }, actor }, ids: number[]) {
      const reviewed = await reviewIn(tx, ctx, program, ids, { action, reason, actor });
      return reviewed.map(({ outcome, status, isInPayout }) =>
        outcome === 'done' ? 'done' : isInPayout ? 'in_payout' : (status ?? 'not_found'),
      );
    },
  },
  mark_payouts_paid: {
    role: 'finance',
    sliceSize: 100,
    async apply({ tx, ctx, program, change, actor }, ids: number[]) {
      const marked = await markPaidIn(tx, ctx, program, ids, { reference: change.reference ?? null, actor });
      return marked.map(({ outcome }) => outcome);
    },
  },
  create_payouts: {
    role: 'finance',
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
    role: 'member',
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
  invite_partners: { role: 'member', sliceSize: 25, apply: inviteSlice },
  resend_invitations: { role: 'member', sliceSize: 25, apply: inviteSliceAgain },
  change_links: {
    role: 'member',
    sliceSize: 50,
    async apply({ tx, ctx, program, change: { active, deleted }, actor }, ids: number[]) {
      const outcomes: string[] = [];
      for (const linkId of ids) {
        const link = { program, linkId, partnerId: null };
        outcomes.push(
          deleted
            ? await deleteLinkIn(tx, ctx, link, actor)
            : await changeLinkIn(tx, ctx, link, active === undefined ? {} : { active }, actor),
        );
      }
      return outcomes;
    },
  },
  change_coupons: {
    role: 'member',
    sliceSize: 50,
    async apply({ tx, ctx, program, change: { active = true }, actor }, ids: number[]) {
      const outcomes: string[] = [];
      for (const id of ids) outcomes.push(await changeCouponIn(tx, ctx, program, id, { active }, actor));
      return outcomes;
    },
  },
  message_partners: {
    role: 'member',
    sliceSize: 50,
    async apply({ tx, ctx, program, actor }, items: MessageItem[]) {
      const outcomes = await sendToPartners(tx, ctx, { program, sentBy: actor.userId }, items);
      return outcomes.map((outcome) => (outcome === 'queued' ? 'done' : outcome));
    },
  },
};

/** How many rows were changed, and how many were skipped for which reason. */
export function resultOf(outcomes: string[]): SliceResult {
  const skipped: Record<string, number> = {};
  for (const outcome of outcomes) if (outcome !== 'done') skipped[outcome] = (skipped[outcome] ?? 0) + 1;
  return { changed: outcomes.filter((outcome) => outcome === 'done').length, skipped };
}
