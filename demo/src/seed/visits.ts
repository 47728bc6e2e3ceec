import type { Db } from '@svc/server/db/db';
import { chance } from './chance.ts';
import { VISIT_COLUMNS, VISIT_VALUES } from './visit-facts.ts';

export type History = {
  programIds: number[];
  now: Date;
  days: number;
  customers: number;
  clicks: number;
  /** The share of customers who pay in another currency than the program's. */
  foreignShare: number;
};

const CHUNK = 100_000;

// Visits grow over the year, weekends are quieter, and some links get far more visits than others. Half of the visitors sign
// up, and two in five of those buy.
const INSERT_CUSTOMERS = `
  with picks as (
    select row_number() over (order by l.program_id, l.id) - 1 as k, l.id as link_id, l.program_id, l.partner_id,
      m.id as membership_id
    from links l join memberships m on m.program_id = l.program_id and m.partner_id = l.partner_id
    where l.program_id = any ($1::bigint[]) and not l.is_test
  ), visits as (
    select row_number() over (order by at) as n, at, k from (
      select case when extract(isodow from at) > 5 and ${chance('v', 9)} < 0.4 then at - interval '3 days' else at end as at, k
      from (
        select v, floor((select count(*) from picks) * power(${chance('v', 2)}, 2)) as k, date_trunc('milliseconds',
          $2::timestamptz - $3::int * interval '1 day' * (1 - sqrt(${chance('v', 1)}))) as at
        from generate_series(1, $4::int) v) visit) drawn
  ), signups as (
    select v.*, case when ${chance('n', 3)} < 0.5
      then date_trunc('milliseconds', at + ${chance('n', 4)} * interval '3 days') end as lead_at
    from visits v
  ), buyers as (
    select s.*, case when ${chance('n', 5)} < 0.4
      then date_trunc('milliseconds', lead_at + ${chance('n', 6)} * interval '10 days') end as converted_at
    from signups s
  ), known as (
    select n, at, k, case when lead_at < $2 then lead_at end as lead_at,
      case when converted_at < $2 then converted_at end as converted_at
    from buyers
  )
  insert into customers (id, program_id, link_id, partner_id, membership_id, clicked_at, created_at, customer_key,
    email_masked, status, lead_at, lead_state, converted_at)
  select $5::bigint + n, p.program_id, p.link_id, p.partner_id, p.membership_id, at, at,
    case when lead_at is not null then 'user_' || ($5::bigint + n) end,
    case when lead_at is not null then chr(97 + (n % 26)::int) || '***@example.com' end,
    case when converted_at is not null then 'conversion' when lead_at is not null then 'lead' else 'click' end,
    lead_at, case when lead_at is not null then 'settled' end, converted_at
  from known join picks p using (k)
  order by n`;

// The first click of each customer; the remaining clicks are customers who return within three weeks. Recent customers have
// returned less often so far, so that many of these clicks go to earlier ones instead.
const INSERT_CLICKS = `
  insert into clicks (program_id, link_id, partner_id, customer_id, clicked_at, ${VISIT_COLUMNS})
  select c.program_id, c.link_id, c.partner_id, c.id,
    date_trunc('milliseconds', c.clicked_at + case when v.n <= $2::bigint then 0 else ${chance('v.n', 7)} end
      * least(interval '21 days', $3::timestamptz - c.clicked_at)),
    ${VISIT_VALUES}
  from (
    select n, $1::bigint + case when n <= $2::bigint then n
      when $6::int * (1 - sqrt(drawn)) < 21 * ${chance('n', 14)} then 1 + floor($2::bigint * 0.88 * ${chance('n', 15)})::bigint
      else 1 + floor($2::bigint * drawn)::bigint end as customer_id
    from (select n, ${chance('n', 8)} as drawn from generate_series($4::bigint, $5::bigint) n) d
  ) v join customers c on c.id = v.customer_id join programs g on g.id = c.program_id
  order by 5`;

const COUNT = `
  insert into count_deltas (program_id, hour, link_id, partner_id, clicks)
  select program_id, date_trunc('hour', clicked_at, 'UTC'), link_id, min(partner_id), count(*)
  from clicks where program_id = any ($1::bigint[]) and not is_test group by 1, 2, 3`;

/** Adds customers, clicks and their deltas. Returns the id before the first customer. */
export async function seedVisits(db: Db, history: History, print: (line: string) => void): Promise<number> {
  const { programIds, now, days, customers, clicks } = history;
  for (let day = -days; day <= 31; day += 28) {
    await db.query('select make_click_partition($1)', [new Date(now.getTime() + day * 86_400_000)]);
  }
  const [last] = await db.query<{ id: number }>(
    `select setval('customers_id_seq', nextval('customers_id_seq') + $1::int) - $1::int as id`,
    [customers],
  );
  const before = last?.id ?? 0;
  await db.query(INSERT_CUSTOMERS, [programIds, now, days, customers, before]);
  print(`${customers} customers`);
  for (let from = 1; from <= clicks; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, clicks);
    await db.query(INSERT_CLICKS, [before, customers, now, from, to, days]);
    print(`${to} clicks`);
  }
  await db.query(COUNT, [programIds]);
  return before;
}
