import {
  COMMISSION_SUMS,
  type CommissionBase,
  type CommissionRow,
  type CommissionSort,
  type commissionFilters,
  commissionRow,
  type FiltersOf,
  isManualKind,
} from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { EVERYONE, inProgram, type ProgramScope, type Selection } from '../db/lists/list-query.ts';
import { findRow, findRows, listSource } from '../db/lists/sorted-list.ts';
import type { AnnouncedRows, Announcement, FeedRows, RowsBefore } from '../outbox/outbox-store.ts';
import { commissionableCents } from '../terms/earning.ts';
import { describeOwnPay, describePaidRule, type PaidRule } from '../terms/paid-rule.ts';
import { AWAITS_REVIEW, COMMISSION_STATUS, HOLD_REASON } from './commission-state.ts';
import type { MovedCommission } from './commission-store.ts';
import { IS_PREPARED, IS_TOLD } from './payout-coverage-store.ts';
import { commissionSearchCondition, type SaleSearch, saleOfTransaction } from './sale-search-store.ts';

export type CommissionFilter = FiltersOf<typeof commissionFilters> & { search?: SaleSearch };

/** What fields of a row are computed from, as the rules call it. */
type Facts = PaidRule & { commissionBase: CommissionBase; taxCents: number | null; shippingCents: number | null };

type Computed = 'commission_type' | 'commission_rate' | 'base_cents' | 'terms';

const TERMS_VERSION = 'coalesce(m.terms_version, s.terms_version)';

// Its customer, the latest payout that pays for it, or is about to, and the terms that it was paid under. With `offset 0`, a
// customer is looked up: planned while there are few, a plain join would read all of them for each row. The payouts of its lines
// are looked up one by one for the same reason. The latest payout is a maximum and not the first of a sort: a sort takes 30 µs to set
// up, even for no rows, and each new commission is read here.
const pageJoins = (isShown = IS_PREPARED) => `left join lateral (
      select c.id, c.customer_key from customers c where c.id = coalesce(s.customer_id, m.customer_id) offset 0
    ) c on true
    left join lateral (
      select max(l.payout_id) as id from (
        select l.payout_id from payout_lines l
        where l.commission_id = m.id and l.amount_cents > 0
          and (select o.status in ('open', 'sent', 'paid') and ${isShown} from payouts o where o.id = l.payout_id) offset 0
      ) l
    ) latest on true
    left join payouts payout on payout.id = latest.id
    left join terms_versions v on v.program_id = m.program_id and v.version = m.terms_version`;

/** The list in the words of one side: which rule paid, or what was earned. */
const commissionsIn = (terms: (paid: PaidRule) => string | null) =>
  listSource<CommissionRow, CommissionSort, keyof typeof COMMISSION_SUMS, Computed, Facts>({
    row: commissionRow,
    table: 'commissions',
    as: 'm',
    joins: 'left join sales s on s.id = m.sale_id left join partners p on p.id = m.partner_id',
    pageJoins: pageJoins(),
    columns: {
      transaction_id: 's.processor_event_id',
      customer_id: 'c.id',
      customer_key: 'c.customer_key',
      partner_name: 'p.name',
      status: COMMISSION_STATUS,
      hold_reason: HOLD_REASON,
      sale_cents: 's.amount_cents',
      sale_currency: 's.currency',
      terms_version: TERMS_VERSION,
      payout_id: 'payout.id',
      paid_at: 'payout.paid_at',
      rule: 'm.rule',
      currency: 'm.currency',
      termsVersion: TERMS_VERSION,
      publishedRule: 'v.rules -> (m.rule - 1)',
      recurringMonths: 'v.recurring_months',
      commissionType: 'm.commission_type',
      commissionRate: 'm.commission_rate::text',
      commissionBase: `coalesce(s.commission_base, 'gross')`,
      taxCents: 's.tax_cents',
      shippingCents: 's.shipping_cents',
    },
    computed: {
      commission_type: ({ kind, commissionType }) => (isManualKind(kind) ? null : commissionType),
      commission_rate: ({ kind, commissionRate }) => (isManualKind(kind) ? null : Number(commissionRate)),
      base_cents: ({ sale_cents: amountCents, commissionType: type, commissionBase: base, ...sale }) =>
        amountCents === null ? null : commissionableCents({ type, base }, { ...sale, amountCents }),
      terms,
    },
    sorts: {
      created_at: 'time',
      commission_cents: { sql: 'm.commission_cents - m.deducted_cents', type: 'number' },
      sale_cents: { sql: 'coalesce(s.amount_cents, 0)', type: 'number' },
      partner_name: 'text',
    },
    sums: COMMISSION_SUMS,
  });

export const COMMISSIONS = commissionsIn(describePaidRule);

/** Lines of payouts, which partners read in their statements. */
export const COMMISSIONS_IN_PAYOUTS = commissionsIn(describeOwnPay);

/** The same for partners, who do not know of payouts in drafts. */
export const COMMISSIONS_OF_PARTNERS = { ...COMMISSIONS_IN_PAYOUTS, pageJoins: pageJoins(IS_TOLD) };

/** Announces that commissions no longer exist: they are reversed in full. The rows are those from before they were deleted. */
export function removedCommissions(
  rows: CommissionRow[],
  about: { programId: number; decisionId: number },
): AnnouncedRows {
  const events = rows.map((row): Announcement => {
    const previous = { status: row.status, deducted_cents: row.deducted_cents };
    const reversed = { ...row, status: 'reversed', deducted_cents: row.commission_cents };
    return { type: 'commission.reversed', id: row.id, row: reversed, previous, ...about };
  });
  return { rows: COMMISSION_ROWS, events };
}

/** Announces that commissions are at another stage. */
export function movedCommissions(
  type: 'commission.approved' | 'commission.rejected' | 'commission.restored' | 'commission.paid',
  programId: number,
  moved: MovedCommission[],
  before: RowsBefore = new Map(),
): AnnouncedRows {
  const events = moved.map(({ id, ...previous }): Announcement => {
    return { type, programId, id, before: before.get(id), previous };
  });
  return { rows: COMMISSION_ROWS, events };
}

export function listCommissionsOfSale(db: Queryable, saleId: number): Promise<CommissionRow[]> {
  return findRows(db, COMMISSIONS, { scope: [['m.sale_id = ?', saleId]], filters: [] });
}

/** The rows of the program's commissions with these ids, newest first. */
export function listCommissionsById(db: Queryable, scope: ProgramScope, ids: number[]): Promise<CommissionRow[]> {
  const selected = [...inProgram(SCOPE, scope), ['m.id = any (?::bigint[])', ids]] satisfies Selection['scope'];
  return findRows(db, COMMISSIONS, { scope: selected, filters: [] });
}

/** The rows of events about them. */
export const COMMISSION_ROWS: FeedRows = {
  subject: 'commission',
  source: COMMISSIONS,
  key: 'm.id = i.id',
  about: { customer: 'customer_id', partner: 'partner_id' },
};

export function selectCommissions(scope: ProgramScope, filter: CommissionFilter): Selection {
  return {
    scope: inProgram(SCOPE, scope),
    filters: [
      ['m.kind = ?', filter.kind],
      [`${COMMISSION_STATUS} = ?`, filter.status],
      ['m.stage = ?', filter.stage],
      [`${AWAITS_REVIEW} = ?`, filter.held],
      [`${HOLD_REASON} = ?`, filter.hold_reason],
      saleOfTransaction('m.sale_id', scope.programId, filter.transaction_id),
      commissionSearchCondition(scope.programId, filter.search),
      // Partners cannot find out about the customers of partners whom they recruited.
      ...(filter.search?.withoutEmailKeys ? [[`m.kind <> 'override'`] as [string]] : []),
      ['m.created_at >= ?', filter.from],
      ['m.created_at < ?', filter.to],
    ],
  };
}

const SCOPE = { program: 'm.program_id', partner: 'm.partner_id' };

export function findCommission(db: Queryable, programId: number, commissionId: number): Promise<CommissionRow | null> {
  const scope = inProgram(SCOPE, { programId, partnerId: EVERYONE });
  return findRow(db, COMMISSIONS, [...scope, ['m.id = ?', commissionId]]);
}
