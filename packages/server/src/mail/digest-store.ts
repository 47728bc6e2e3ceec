import type { Queryable } from '../db/db.ts';

export type Digest = {
  programId: number;
  userId: string;
  /** Whether it is about what the person referred themselves, and not about all partners of the program. */
  isOwn: boolean;
  sales: number;
  amounts: { currency: string; revenueCents: number; commissionCents: number }[];
  /** Moves of partners between groups, by tiers and by people, newest first. */
  moves: { partnerName: string; group: string }[];
};

/** A page of the list, and where it goes on. */
export type DigestPosition = Pick<Digest, 'programId' | 'userId' | 'isOwn'>;

const MAX_MOVES = 10;

// For partners their own moves, for the brand those of all partners.
const MOVES = `(
  select coalesce(jsonb_agg(jsonb_build_object('partnerName', m.name, 'group', m.group_name)), '[]')
  from (
    select p.name, g.name as group_name from (
      select l.*, lag(l.group_id) over (partition by l.partner_id order by l.since, l.id) as before_id
      from partner_placements l where l.program_id = r.program_id) l
    join partners p on p.id = l.partner_id
    join partner_groups g on g.program_id = l.program_id and (g.id = l.group_id or l.group_id is null and g.is_default)
    where l.since >= $1::date::timestamp at time zone 'UTC' and l.since < $2::date::timestamp at time zone 'UTC'
      and l.group_id is distinct from l.before_id and (not r.is_own or p.user_id = r.user_id)
    order by l.since desc, l.id desc limit ${MAX_MOVES}) m)`;

/**
 * What each person should read about the days from `from` to before `to`: partners about their own sales, the people of the
 * brand about all of them. Only people who want it, at addresses that are proven.
 */
export function listDigests(
  db: Queryable,
  { from, to }: { from: string; to: string },
  after: DigestPosition | null,
  limit: number,
): Promise<Digest[]> {
  return db.query<Digest>(
    `with days as (
       select d.program_id, d.partner_id, d.currency, sum(d.sales) as sales, sum(d.revenue_cents) as revenue,
         sum(d.commission_cents) as commission
       from result_days d where d.day >= $1::date and d.day < $2::date and d.currency is not null group by 1, 2, 3
     ), readers as (
       select d.program_id, p.user_id, true as is_own, d.currency, d.sales, d.revenue, d.commission
       from days d join partners p on p.id = d.partner_id where p.user_id is not null
       union all
       select d.program_id, m.user_id, false, d.currency, sum(d.sales), sum(d.revenue), sum(d.commission)
       from days d join programs g on g.id = d.program_id join workspace_members m on m.advertiser_id = g.advertiser_id
       where m.role <> 'viewer' group by d.program_id, m.user_id, d.currency
     )
     select r.program_id as "programId", r.user_id as "userId", r.is_own as "isOwn", sum(r.sales)::int as sales,
       jsonb_agg(jsonb_build_object('currency', r.currency, 'revenueCents', r.revenue, 'commissionCents', r.commission)
         order by r.currency) as amounts,
       ${MOVES} as moves
     from readers r join users u on u.id = r.user_id
     where u.email_verified and u.suspended_at is null
       and not exists (select 1 from mail_preferences p where p.user_id = u.id and p.kind = 'weekly_digest')
       and ($3::bigint is null or (r.program_id, r.user_id, r.is_own) > ($3, $4::text, $5::boolean))
     group by r.program_id, r.user_id, r.is_own having sum(r.sales) > 0
     order by r.program_id, r.user_id, r.is_own limit $6`,
    [from, to, after?.programId ?? null, after?.userId ?? null, after?.isOwn ?? null, limit],
  );
}

/** Whether the digests of the week are queued already. */
export async function hasDigests(db: Queryable, week: string): Promise<boolean> {
  const rows = await db.query(`select 1 from digest_weeks where week = $1::date`, [week]);
  return rows.length > 0;
}

export async function insertDigestWeek(db: Queryable, week: string): Promise<void> {
  await db.query('insert into digest_weeks (week) values ($1::date) on conflict do nothing', [week]);
}
