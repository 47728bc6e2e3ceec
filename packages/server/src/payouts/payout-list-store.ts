import {
  type FiltersOf,
  PAYOUT_SUMS,
  type PayoutRow,
  type PayoutSort,
  type payoutFilters,
  payoutRow,
} from '@svc/contract';
import { IS_PREPARED, IS_TOLD } from '../commissions/payout-coverage-store.ts';
import type { Queryable } from '../db/db.ts';
import { type Condition, EVERYONE, inProgram, type ProgramScope, type Selection } from '../db/lists/list-query.ts';
import { findRow, findRows, listSource } from '../db/lists/sorted-list.ts';
import type { FeedRows } from '../outbox/outbox-store.ts';

export type PayoutFilter = FiltersOf<typeof payoutFilters> & { search?: string; isTold?: boolean | undefined };

export const PAYOUTS = listSource<PayoutRow, PayoutSort, keyof typeof PAYOUT_SUMS>({
  row: payoutRow,
  table: 'payouts',
  as: 'o',
  joins:
    'left join partners p on p.id = o.partner_id left join payout_methods y on y.user_id = p.user_id and y.replaced_at is null',
  columns: {
    partner_name: 'p.name',
    partner_email: 'p.email',
    // Of a run, the method that it pays to; of a single payout, the one that the partner has.
    payout_method_kind: 'coalesce(o.method_kind, y.kind)',
    payout_method: 'case when o.method_kind is null then y.masked else o.method_masked end',
    account_changed_at: 'p.account_changed_at',
  },
  computed: {},
  sorts: { created_at: 'time', amount_cents: 'number', partner_name: 'text' },
  sums: PAYOUT_SUMS,
});

/** The rows of events about them. Events do not tell where the money goes, so they do not store it either. */
export const PAYOUT_ROWS: FeedRows = {
  subject: 'payout',
  source: {
    ...PAYOUTS,
    columns: { ...PAYOUTS.columns, payout_method_kind: 'null::text', payout_method: 'null::text' },
  },
  key: 'o.id = i.id',
  about: { partner: 'partner_id' },
};

const SCOPE = { program: 'o.program_id', partner: 'o.partner_id' };

const scopeOf = (scope: ProgramScope): Condition[] => [...inProgram(SCOPE, scope), [IS_PREPARED]];

export function selectPayouts(scope: ProgramScope, { search, ...filter }: PayoutFilter): Selection {
  return {
    scope: scopeOf(scope),
    filters: [
      ['o.status = ?', filter.status],
      ['(strpos(lower(p.name), lower(?)) > 0 or starts_with(lower(o.reference), lower(?)))', search, search],
      ['o.created_at >= ?', filter.from],
      ['o.created_at < ?', filter.to],
      [`${IS_TOLD} = ?`, filter.isTold],
    ],
  };
}

/** Payouts of the program, in the order of their ids. */
export async function listPayoutsByIds(db: Queryable, programId: number, ids: number[]): Promise<PayoutRow[]> {
  const scope = scopeOf({ programId, partnerId: EVERYONE });
  const found = await findRows(db, PAYOUTS, { scope: [...scope, ['o.id = any (?::bigint[])', ids]], filters: [] });
  return found.reverse();
}

/** A payout of the program. For a partner, only one that they know of. */
export function findPayout(
  db: Queryable,
  scope: ProgramScope,
  payoutId: number,
  { isTold = false }: { isTold?: boolean } = {},
): Promise<PayoutRow | null> {
  const known: Condition[] = isTold ? [[`${IS_TOLD} = ?`, true]] : [];
  return findRow(db, PAYOUTS, [...scopeOf(scope), ['o.id = ?', payoutId], ...known]);
}
