// What statements enter into the books. Each is part of the statement that makes it true, so that both happen or neither.

/** Why something is entered. */
export type BookedKind =
  | 'commission_created'
  | 'commission_approved'
  | 'commission_reviewed'
  | 'commission_deducted'
  | 'commission_revoked'
  | 'credit_granted'
  | 'credit_reversed'
  | 'credit_revoked'
  | 'payout_created'
  | 'payout_paid'
  | 'payout_undone'
  | 'opening_balance';

/** What a commission `m` adds to what is on hold. */
export const PENDING_CENTS = `case when m.stage = 'pending' then m.commission_cents - m.deducted_cents else 0 end`;

const ENTER_COMMISSIONS = `
    insert into book_entries (program_id, partner_id, currency, kind, commission_id, at, expense_cents, pending_cents,
      payable_cents)`;

/** Part of a statement: enters the commissions of the CTE `written`, which it has inserted. */
export const bookAdded = (kind: BookedKind, at: string) => `
  booked as (
    ${ENTER_COMMISSIONS}
    select m.program_id, m.partner_id, m.currency, '${kind}', m.id, ${at}, (${PENDING_CENTS})::numeric + m.due_cents,
      ${PENDING_CENTS}, m.due_cents
    from written m where ${PENDING_CENTS} <> 0 or m.due_cents <> 0)`;

/** Commissions with what they add to the accounts, each with its sign. */
const bookSigned = (kind: BookedKind, at: string, changed: string) => `
  booked as (
    ${ENTER_COMMISSIONS}
    select m.program_id, m.partner_id, m.currency, '${kind}', m.id, ${at}, sum(m.sign * (${PENDING_CENTS} + m.due_cents)),
      sum(m.sign * ${PENDING_CENTS}), sum(m.sign * m.due_cents)
    from (${changed}) m group by 1, 2, 3, 5
    having sum(m.sign * ${PENDING_CENTS}) <> 0 or sum(m.sign * m.due_cents) <> 0)`;

const COMMISSION = 'id, program_id, partner_id, currency, stage, commission_cents, deducted_cents, due_cents';
const REMOVED = `select -1 as sign, ${COMMISSION} from before`;

/** Part of a statement: enters the commissions of `written` as they are now instead of as they were in `before`. */
export const bookChanged = (kind: BookedKind, at: string) =>
  bookSigned(kind, at, `${REMOVED} union all select 1 as sign, ${COMMISSION} from written`);

/** Part of a statement: takes the commissions of the CTE `before`, which it has deleted, out of the accounts. */
export const bookRemoved = (kind: BookedKind, at: string) => bookSigned(kind, at, REMOVED);

/** Part of a statement: enters what rows `k` of customer credits add to the accounts. */
export const bookCredits = (kind: BookedKind, at: string, cents: string, credits: string) => `
  booked as (
    insert into book_entries (program_id, currency, kind, credit_id, at, expense_cents, credits_cents)
    select k.program_id, k.currency, '${kind}', k.id, ${at}, ${cents}, ${cents} from ${credits} where ${cents} <> 0)`;

type PayoutAccount = 'payable_cents' | 'in_payouts_cents' | 'paid_cents';

/** Part of a statement: moves the amounts of rows `o` of payouts from one account to another. */
export const bookPayouts = (
  kind: BookedKind,
  at: string,
  from: PayoutAccount,
  to: PayoutAccount,
  payouts: string,
  as = 'booked',
) => `
  ${as} as (
    insert into book_entries (program_id, partner_id, currency, kind, payout_id, at, expense_cents, ${from}, ${to})
    select o.program_id, o.partner_id, o.currency, '${kind}', o.id, ${at}, 0, -o.amount_cents, o.amount_cents from ${payouts})`;
