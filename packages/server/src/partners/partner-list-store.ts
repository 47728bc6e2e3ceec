import {
  type MembershipStatus,
  type PartnerFileRow,
  type PartnerRow,
  type PartnerSort,
  partnerFileRow,
  partnerRow,
  type SentNumbers,
} from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { Condition, Selection } from '../db/lists/list-query.ts';
import { findRow, findTotals, listSource } from '../db/lists/sorted-list.ts';
import type { FeedRows } from '../outbox/outbox-store.ts';
import type { Earner } from './earnings.ts';
import { linkUrl } from './links/link.ts';
import { findNumbersOfList, NUMBER_SORTS, numbersJoin, PAYABLE_SORT } from './result-totals-store.ts';

export type PartnerFilter = {
  status?: MembershipStatus;
  hasAccount?: boolean;
  /** The group they are in. Who is in no other one is in the default one. */
  group?: { id: number; defaultId: number };
  externalId?: string;
  search?: string;
};

const MEMBERSHIPS = { table: 'memberships', as: 'm' };
const JOINS = `left join partners p on p.id = m.partner_id left join programs o on o.id = m.program_id
    left join partner_groups g on g.id = coalesce(m.group_id, o.default_group_id)`;
const COLUMNS = {
  id: 'p.id',
  name: 'p.name',
  email: 'p.email',
  has_account: 'p.user_id is not null',
  account_changed_at: 'p.account_changed_at',
  group_id: 'g.id',
  group_name: 'g.name',
};

export const PARTNERS = listSource<PartnerRow, PartnerSort>({
  row: partnerRow,
  ...MEMBERSHIPS,
  joins: `${JOINS} ${numbersJoin('partner', 'm.program_id', 'm.partner_id')}`,
  columns: COLUMNS,
  computed: {},
  sorts: { created_at: 'time', name: 'text', ...NUMBER_SORTS, payable_cents: PAYABLE_SORT },
});

type SharedLink = { domain: string; destination_url: string | null; short_link: string | null };

type FileFacts = SharedLink & { recruits: { partnerId: number; groupId: number }[] };

/** Partners with what they share, their first active link and coupon, and with what they earn. */
export const partnerFile = (earningsOf: (partner: Earner) => string[]) =>
  listSource<PartnerFileRow, 'created_at', never, 'link' | 'earnings', FileFacts>({
    row: partnerFileRow,
    ...MEMBERSHIPS,
    joins: JOINS,
    pageJoins: `left join lateral (
        select l.short_link, l.destination_url from links l
        where l.program_id = m.program_id and l.partner_id = m.partner_id and l.active and l.deleted_at is null and not l.is_test
        order by l.id limit 1
      ) shared on true
      left join lateral (
        select k.code from coupons k where k.program_id = m.program_id and k.partner_id = m.partner_id and k.active
        order by k.id limit 1
      ) held on true
      left join lateral (
        select coalesce(json_agg(json_build_object(
          'partnerId', r.partner_id, 'groupId', coalesce(r.group_id, o.default_group_id))), '[]') as members
        from memberships r where r.program_id = m.program_id and r.recruiter_id = m.partner_id
      ) recruited on true`,
    columns: {
      ...COLUMNS,
      coupon: 'held.code',
      domain: 'o.domain',
      destination_url: 'shared.destination_url',
      short_link: 'shared.short_link',
      recruits: 'recruited.members',
    },
    computed: {
      link: ({ short_link: name, ...link }) => (name === null ? null : linkUrl({ ...link, short_link: name })),
      earnings: ({ id, group_id: groupId, recruits }) =>
        earningsOf({ partnerId: id, groupId, recruits })
          .map((sentence) => `${sentence}.`)
          .join(' '),
    },
    sorts: { created_at: 'time' },
  });

/** The rows of events about them. */
export const PARTNER_ROWS: FeedRows = {
  subject: 'partner',
  source: PARTNERS,
  key: 'm.program_id = i.program_id and m.partner_id = i.id',
  about: { partner: 'id' },
};

const inScope = (programId: number): Condition[] => [['m.program_id = ?', programId], ['not p.is_test']];

export function selectPartners(programId: number, filter: PartnerFilter): Selection {
  return {
    scope: inScope(programId),
    filters: [
      ['m.status = ?', filter.status],
      ['(p.user_id is not null) = ?', filter.hasAccount],
      ['m.external_id = ?', filter.externalId],
      ['coalesce(m.group_id, ?) = ?', filter.group?.defaultId, filter.group?.id],
      [`strpos(lower(p.name || ' ' || p.email), lower(?)) > 0`, filter.search],
    ],
  };
}

/** How many partners match, and what they have brought in together. */
export async function findPartnerTotals(
  db: Queryable,
  programId: number,
  selection: Selection,
): Promise<{ count: number; totals: SentNumbers }> {
  const listed = 'select m.partner_id from memberships m join partners p on p.id = m.partner_id';
  const [{ count }, totals] = await Promise.all([
    findTotals(db, PARTNERS, selection),
    findNumbersOfList(db, 'partner', programId, { listed, selection }),
  ]);
  return { count, totals };
}

/** The id of the partner whom the brand knows by this id; null when there is none. */
export async function findPartnerId(db: Queryable, programId: number, externalId: string): Promise<number | null> {
  const partner = await findRow(db, PARTNERS, [...inScope(programId), ['m.external_id = ?', externalId]]);
  return partner?.id ?? null;
}

export function findPartnerRow(db: Queryable, programId: number, partnerId: number): Promise<PartnerRow | null> {
  return findRow(db, PARTNERS, [...inScope(programId), ['m.partner_id = ?', partnerId]]);
}
