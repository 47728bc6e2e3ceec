import type { MembershipStatus, PartnerSort } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import type { Condition } from '../../db/list-query.ts';
import {
  findTotals,
  type ListSource,
  listSorted,
  type PageOf,
  type Positioned,
  textSort,
} from '../../db/sorted-list.ts';
import type { Partner } from '../partner-store.ts';
import { findNumbersOfList, NUMBER_SORTS, type Numbers, numbersJoin, PAYABLE_SORT } from './number-store.ts';

export type PartnerFilter = {
  status?: MembershipStatus;
  /** The group they are in. Who is in no other one is in the default one. */
  group?: { id: number; defaultId: number };
  search?: string;
};

const SOURCE: ListSource<Partner, PartnerSort> = {
  table: 'memberships m',
  id: 'm.id',
  joins: `left join partners p on p.id = m.partner_id left join programs o on o.id = m.program_id
    left join partner_groups g on g.id = coalesce(m.group_id, o.default_group_id)
    ${numbersJoin('partner', 'm.program_id', 'm.partner_id')}`,
  columns: {
    id: 'p.id',
    name: 'p.name',
    email: 'p.email',
    status: 'm.status',
    hasAccount: 'p.user_id is not null',
    accountChangedAt: 'p.account_changed_at',
    createdAt: 'm.created_at',
    groupId: 'g.id',
    groupName: 'g.name',
    groupBy: 'm.group_by',
    recruiterId: 'm.recruiter_id',
  },
  sorts: {
    created_at: { sql: 'm.created_at', type: 'time' },
    name: textSort('p.name'),
    ...NUMBER_SORTS,
    payable_cents: PAYABLE_SORT,
  },
};

export const PARTNER_SORT_COLUMNS = SOURCE.sorts;

const conditions = (programId: number, filter: PartnerFilter): Condition[] => [
  ['m.program_id = ?', programId],
  ['not p.is_test'],
  ['m.status = ?', filter.status],
  ['coalesce(m.group_id, ?) = ?', filter.group?.defaultId, filter.group?.id],
  [`strpos(lower(p.name || ' ' || p.email), lower(?)) > 0`, filter.search],
];

export function listPartners(
  db: Queryable,
  programId: number,
  filter: PartnerFilter,
  page: PageOf<PartnerSort>,
): Promise<Positioned<Partner>[]> {
  return listSorted(db, SOURCE, conditions(programId, filter), page);
}

/** How many partners match, and what they have brought in together. */
export async function findPartnerTotals(
  db: Queryable,
  programId: number,
  filter: PartnerFilter,
): Promise<{ count: number; totals: Numbers }> {
  const matching = conditions(programId, filter);
  const listed = 'select m.partner_id from memberships m join partners p on p.id = m.partner_id';
  const [{ count }, totals] = await Promise.all([
    findTotals(db, SOURCE, matching),
    findNumbersOfList(db, 'partner', programId, { listed, conditions: matching }),
  ]);
  return { count, totals };
}
