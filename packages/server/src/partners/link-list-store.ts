import type { LinkSort } from '@svc/contract';
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
import type { ListedLink } from '../link-store.ts';
import { findNumbersOfList, NUMBER_SORTS, type Numbers, numbersJoin } from './number-store.ts';

export type LinkFilter = { partnerId: number | null; active?: boolean; deleted?: boolean; search?: string };

const SOURCE: ListSource<ListedLink, LinkSort> = {
  table: 'links l',
  id: 'l.id',
  joins: `left join partners p on p.id = l.partner_id ${numbersJoin('link', 'l.program_id', 'l.id')}`,
  columns: {
    id: 'l.id',
    shortLink: 'l.short_link',
    destinationUrl: 'l.destination_url',
    label: 'l.label',
    active: 'l.active',
    partnerId: 'l.partner_id',
    partnerName: 'p.name',
    createdAt: 'l.created_at',
    deletedAt: 'l.deleted_at',
  },
  sorts: {
    created_at: { sql: 'l.created_at', type: 'time' },
    short_link: textSort('l.short_link'),
    partner_name: textSort('p.name'),
    ...NUMBER_SORTS,
  },
};

export const LINK_SORT_COLUMNS = SOURCE.sorts;

const conditions = (programId: number, filter: LinkFilter): Condition[] => [
  ['l.program_id = ?', programId],
  ['not l.is_test'],
  [filter.deleted ? 'l.deleted_at is not null' : 'l.deleted_at is null'],
  ['l.partner_id = ?', filter.partnerId],
  ['l.active = ?', filter.active],
  [`strpos(lower(l.short_link || ' ' || coalesce(l.label, '')), lower(?)) > 0`, filter.search],
];

export function listLinks(
  db: Queryable,
  programId: number,
  filter: LinkFilter,
  page: PageOf<LinkSort>,
): Promise<Positioned<ListedLink>[]> {
  return listSorted(db, SOURCE, conditions(programId, filter), page);
}

/** How many links match, and what they have brought in together. */
export async function findLinkTotals(
  db: Queryable,
  programId: number,
  filter: LinkFilter,
): Promise<{ count: number; totals: Numbers }> {
  const matching = conditions(programId, filter);
  const [{ count }, totals] = await Promise.all([
    findTotals(db, SOURCE, matching),
    findNumbersOfList(db, 'link', programId, { listed: 'select l.id from links l', conditions: matching }),
  ]);
  return { count, totals };
}
