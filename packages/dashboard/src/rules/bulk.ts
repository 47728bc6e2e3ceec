import { formatCount } from './money.ts';

/** Why rows were left as they are, and how many. */
type Skipped = { reason: string; count: number };
export type BulkResult = { changed: number; skipped: Skipped[] };

const REASONS: Record<string, string> = {
  pending: 'pending',
  approved: 'already approved',
  paid: 'already paid',
  reversed: 'reversed by a refund',
  partially_reversed: 'partially reversed',
  rejected: 'rejected',
  in_payout: 'in a payout',
  in_draft: 'in a draft',
  not_sent: 'in a run that is not sent',
  cancelled: 'canceled',
  not_found: 'no longer there',
  not_payable: 'with nothing left to pay',
  balance_changed: 'changed in the meantime',
  unchanged: 'already so',
  active: 'already active',
  applied: 'applied',
  blocked: 'blocked',
  removed: 'removed',
  already_partner: 'already a partner',
  repeated: 'repeated',
  refused: 'left out',
  has_account: 'with an account',
  shared: 'in other programs too',
  workspace_limit: 'beyond your daily limit',
  recipient_limit: 'at the daily limit for their address',
  sender_unconfirmed: 'until you confirm your email address',
  no_account: 'not joined yet',
  unconfirmed: 'without a confirmed address',
  unsubscribed: 'unsubscribed',
  no_link: 'without an active link',
  queue_full: 'while too many emails are waiting',
};

export type BulkKind =
  | 'review_commissions'
  | 'mark_payouts_paid'
  | 'create_payouts'
  | 'change_partners'
  | 'invite_partners'
  | 'resend_invitations'
  | 'change_links'
  | 'change_coupons'
  | 'message_partners';

/** A bulk action, as far as words about it need it. */
type Described = BulkResult & {
  kind: BulkKind;
  change: {
    action?: string | undefined;
    status?: string | undefined;
    from_status?: string | undefined;
    active?: boolean | undefined;
    deleted?: boolean | undefined;
  };
  status: 'running' | 'done' | 'stopped' | 'failed';
  stop_reason?: 'requested' | 'role_lost' | null;
  total: number;
};

/** What is done to which rows, while it is being done and afterwards. */
function wordsOf({ kind, change }: Described): { noun: string; doing: string; done: string } {
  if (kind === 'mark_payouts_paid')
    return { noun: 'payouts', doing: 'Marking payouts as paid', done: 'marked as paid' };
  if (kind === 'create_payouts') return { noun: 'payouts', doing: 'Creating payouts', done: 'created' };
  if (kind === 'invite_partners') return { noun: 'partners', doing: 'Inviting partners', done: 'invited' };
  if (kind === 'resend_invitations')
    return { noun: 'invitations', doing: 'Sending invitations again', done: 'sent again' };
  if (kind === 'message_partners') return { noun: 'partners', doing: 'Sending your message', done: 'written to' };
  if (kind === 'change_links') {
    if (change.deleted) return { noun: 'links', doing: 'Deleting links', done: 'deleted' };
    return change.active
      ? { noun: 'links', doing: 'Enabling links', done: 'enabled' }
      : { noun: 'links', doing: 'Disabling links', done: 'disabled' };
  }
  if (kind === 'change_coupons')
    return change.active
      ? { noun: 'coupons', doing: 'Switching coupons on', done: 'switched on' }
      : { noun: 'coupons', doing: 'Switching coupons off', done: 'switched off' };
  if (kind === 'review_commissions') {
    if (change.action === 'reject') return { noun: 'commissions', doing: 'Rejecting commissions', done: 'rejected' };
    if (change.action === 'restore') return { noun: 'commissions', doing: 'Undoing rejections', done: 'restored' };
    return { noun: 'commissions', doing: 'Approving commissions', done: 'approved' };
  }
  if (change.status === undefined) return { noun: 'partners', doing: 'Moving partners', done: 'moved' };
  if (change.status === 'blocked') return { noun: 'partners', doing: 'Blocking partners', done: 'blocked' };
  if (change.from_status !== 'applied') {
    return change.status === 'active'
      ? { noun: 'partners', doing: 'Reinstating partners', done: 'reinstated' }
      : { noun: 'partners', doing: 'Removing partners', done: 'removed' };
  }
  return change.status === 'active'
    ? { noun: 'applications', doing: 'Approving applications', done: 'approved' }
    : { noun: 'applications', doing: 'Declining applications', done: 'declined' };
}

/** How far a bulk action is, or how far it came: “Stopped: 2,200 of 8,990 commissions approved.” */
export function describeBulkAction(action: Described): string {
  const { noun, doing, done } = wordsOf(action);
  const { status, total, changed, skipped } = action;
  if (status === 'running') return `${doing}: ${formatCount(handledOf(action))} of ${formatCount(total)}`;
  if (status === 'done') return describeResult({ changed, skipped }, noun, done);
  const result = `${formatCount(changed)} of ${countOf(total, noun)} ${done}.`;
  if (action.stop_reason === 'role_lost')
    return `Stopped, because the person who started it no longer has the role for it: ${result}`;
  return status === 'stopped'
    ? `Stopped: ${result}`
    : `Something went wrong on the server: ${result} Do it again for the rest.`;
}

/** How many rows it has worked on. */
export function handledOf({ changed, skipped }: BulkResult): number {
  return skipped.reduce((sum, { count }) => sum + count, changed);
}

/** What was done, and what was not and why: “12 commissions approved. 3 skipped: 2 already paid, 1 in a payout.” */
export function describeResult({ changed, skipped }: BulkResult, noun: string, done: string): string {
  const total = handledOf({ changed: 0, skipped });
  const result = `${countOf(changed, noun)} ${done}`;
  if (total === 0) return result;
  const reasons = skipped.map(({ reason, count }) => `${formatCount(count)} ${REASONS[reason] ?? reason}`);
  return `${result}. ${formatCount(total)} skipped: ${reasons.join(', ')}.`;
}

/** A number with its noun in the singular or plural, which ends in s. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${count === 1 ? noun.replace(/s$/, '') : noun}`;
}

type Worked = { id: number; status: string; created_at: string; finished_at: string | null };

/** Of bulk actions, the newest first, those that are running and those that were when the newest one began. Newest last. */
export function sinceTheNewest<Action extends Worked>(actions: readonly Action[]): Action[] {
  const [newest] = actions;
  if (!newest) return [];
  return actions
    .filter((action) => action === newest || action.finished_at === null || action.finished_at > newest.created_at)
    .reverse();
}
