import { type LinkRow, type LinkSort, linkRow, type SentNumbers } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import { inProgram, type ProgramScope, type Selection } from '../../db/lists/list-query.ts';
import { findRow, findTotals, listSource } from '../../db/lists/sorted-list.ts';
import type { FeedRows } from '../../outbox/outbox-store.ts';
import { findNumbersOfList, NUMBER_SORTS, numbersJoin } from '../result-totals-store.ts';
import { linkUrl } from './link.ts';

export type LinkFilter = { link_id?: number; active?: boolean; deleted?: boolean; search?: string };

export const LINKS = listSource<LinkRow, LinkSort, never, 'url', { domain: string }>({
  row: linkRow,
  table: 'links',
  as: 'l',
  joins: `left join partners p on p.id = l.partner_id ${numbersJoin('link', 'l.program_id', 'l.id')}`,
  pageJoins: 'join programs o on o.id = l.program_id',
  columns: { partner_name: 'p.name', domain: 'o.domain' },
  computed: { url: linkUrl },
  sorts: { created_at: 'time', short_link: 'text', partner_name: 'text', ...NUMBER_SORTS },
});

/** The rows of events about them. */
export const LINK_ROWS: FeedRows = {
  subject: 'link',
  source: LINKS,
  key: 'l.id = i.id',
  about: { partner: 'partner_id' },
};

const SCOPE = { program: 'l.program_id', partner: 'l.partner_id' };

export function selectLinks(scope: ProgramScope, filter: LinkFilter): Selection {
  const isListed = filter.deleted ? 'l.deleted_at is not null' : 'l.deleted_at is null';
  return {
    scope: [...inProgram(SCOPE, scope), ['not l.is_test'], [isListed]],
    filters: [
      ['l.id = ?', filter.link_id],
      ['l.active = ?', filter.active],
      [`strpos(lower(l.short_link || ' ' || coalesce(l.label, '')), lower(?)) > 0`, filter.search],
    ],
  };
}

/** How many links match, and what they have brought in together. */
export async function findLinkTotals(
  db: Queryable,
  programId: number,
  selection: Selection,
): Promise<{ count: number; totals: SentNumbers }> {
  const [{ count }, totals] = await Promise.all([
    findTotals(db, LINKS, selection),
    findNumbersOfList(db, 'link', programId, { listed: 'select l.id from links l', selection }),
  ]);
  return { count, totals };
}

/** A link of the program, deleted or not. */
export function findLinkRow(db: Queryable, scope: ProgramScope, linkId: number): Promise<LinkRow | null> {
  return findRow(db, LINKS, [...inProgram(SCOPE, scope), ['not l.is_test'], ['l.id = ?', linkId]]);
}
