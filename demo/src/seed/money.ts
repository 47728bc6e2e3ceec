import type { Db } from '@svc/server/db/db';
import { chance } from './chance.ts';
import type { History } from './visits.ts';

// Every customer who converted pays monthly, one to four times. One sale in twenty is refunded in full, one in thirty in part.
const INSERT_SALES = `
  with payments as (
    select c.*, j, c.converted_at + j * interval '30 days' as paid_at, c.id * 10 + j as n
    from customers c, generate_series(0, 3) j
    where c.program_id = any ($1::bigint[]) and c.id > $3 and c.converted_at is not null
      and j <= floor(4 * ${chance('c.id', 10)}) and c.converted_at + j * interval '30 days' < $2
  ), amounts as (
    select p.*, 100 * (19 + floor(180 * ${chance('n', 11)})::bigint) as cents, ${chance('n', 12)} as refund_chance
    from payments p
  )
  insert into sales (processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, currency, sale_type,
    is_recurring, commission_type, commission_rate, program_currency, commission_state, hold_days, refunded_cents,
    created_at)
  select 'order_' || a.n, a.program_id, a.id, a.partner_id, a.link_id, a.cents,
    case when ${chance('a.id', 13)} < $4::float8 then 'EUR' else g.currency end,
    case when g.commission_type like 'recurring%' then 'subscription' else 'payment' end,
    a.j > 0 and g.commission_type like 'recurring%', g.commission_type,
    g.commission_rate, g.currency, 'created', g.hold_days,
    case when a.paid_at > $2::timestamptz - interval '5 days' then 0 when refund_chance < 0.05 then a.cents
      when refund_chance < 0.08 then a.cents / 4 else 0 end,
    a.paid_at
  from amounts a join programs g on g.id = a.program_id
  order by a.paid_at`;

const OF_SALES = 'from sales s where s.program_id = any ($1::bigint[]) and s.customer_id > $2';

const INSERT_TRANSACTIONS = `
  insert into transactions (processor_event_id, program_id, sale_id)
  select s.processor_event_id, s.program_id, s.id ${OF_SALES}`;

const INSERT_COMMISSIONS = `
  insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
    deducted_cents, reversal, currency, stage, approve_after, approved_at, created_at)
  select id, program_id, partner_id, commission_type, commission_rate, cents, round(cents * refunded_cents / amount_cents),
    case when refunded_cents = 0 then 'none' when refunded_cents = amount_cents then 'full' else 'partial' end,
    currency, case when is_over then 'approved' else 'pending' end, hold_end, case when is_over then hold_end end,
    created_at
  from (
    select s.*, round(s.amount_cents * s.commission_rate / 100) as cents,
      s.created_at + s.hold_days * interval '1 day' as hold_end,
      s.created_at + s.hold_days * interval '1 day' <= $3 and s.refunded_cents < s.amount_cents as is_over
    ${OF_SALES}) due
  order by created_at`;

const INSERT_REFUNDS = `
  insert into refunds (sale_id, program_id, refund_key, amount_cents, deduction_cents, status, created_at)
  select s.id, s.program_id, 'refund_of_' || s.id, s.refunded_cents, m.deducted_cents,
    case m.reversal when 'full' then 'reversed' else 'partially_reversed' end, s.created_at + interval '5 days'
  from sales s join commissions m on m.sale_id = s.id
  where s.program_id = any ($1::bigint[]) and s.customer_id > $2 and s.refunded_cents > 0`;

// Commissions older than two months have been paid, with one payout per partner, currency and month.
const PAY_OUT = `
  with due as (
    select m.id, m.program_id, m.partner_id, m.currency, m.commission_cents - m.deducted_cents as cents,
      date_trunc('month', m.created_at, 'UTC') + interval '50 days' as paid_at
    from commissions m join sales s on s.id = m.sale_id
    where m.program_id = any ($1::bigint[]) and s.customer_id > $2 and m.stage = 'approved'
      and m.created_at < date_trunc('month', $3::timestamptz - interval '60 days', 'UTC')
      and m.commission_cents > m.deducted_cents
  ), made as (
    insert into payouts (program_id, partner_id, currency, amount_cents, status, reference, created_at, paid_at)
    select program_id, partner_id, currency, sum(cents), 'paid', 'transfer', paid_at, paid_at
    from due group by program_id, partner_id, currency, paid_at order by paid_at
    returning id, program_id, partner_id, currency, paid_at
  ), lines as (
    insert into payout_lines (payout_id, commission_id, amount_cents)
    select made.id, due.id, due.cents from due join made using (program_id, partner_id, currency, paid_at)
  )
  update commissions m set stage = 'paid', settled_cents = due.cents from due where due.id = m.id`;

const INSERT_DECISIONS = `
  insert into decisions (program_id, kind, outcome, reason, facts, source, customer_id, partner_id, sale_id,
    transaction_id, customer_key, created_at)
  select * from (
    select program_id, 'lead', 'recorded', 'lead_recorded', '{}'::jsonb, 'api', id, partner_id, null::bigint, null,
      customer_key, lead_at as at
    from customers where program_id = any ($1::bigint[]) and id > $2 and lead_at is not null
    union all
    select s.program_id, 'sale', 'recorded', 'sale_attributed',
      jsonb_build_object('amount_cents', s.amount_cents, 'currency', s.currency, 'is_recurring', s.is_recurring),
      'api', s.customer_id, s.partner_id, s.id, s.processor_event_id, 'user_' || s.customer_id, s.created_at
    ${OF_SALES}
    union all
    select s.program_id, 'refund', 'recorded',
      case r.status when 'reversed' then 'commission_reversed' else 'commission_partially_reversed' end,
      jsonb_build_object('refunded_cents', r.amount_cents, 'deduction_cents', r.deduction_cents), 'api',
      s.customer_id, s.partner_id, s.id, s.processor_event_id, null, r.created_at
    from refunds r join sales s on s.id = r.sale_id
    where s.program_id = any ($1::bigint[]) and s.customer_id > $2) happened
  order by at`;

/** Adds sales, commissions, refunds, decisions and payouts for the customers after `customersBefore`. */
export async function seedMoney(
  db: Db,
  { programIds, now, foreignShare }: Pick<History, 'programIds' | 'now' | 'foreignShare'>,
  customersBefore: number,
  print: (line: string) => void,
): Promise<void> {
  await db.query(INSERT_SALES, [programIds, now, customersBefore, foreignShare]);
  await db.query(INSERT_TRANSACTIONS, [programIds, customersBefore]);
  await db.query(INSERT_COMMISSIONS, [programIds, customersBefore, now]);
  await db.query(INSERT_REFUNDS, [programIds, customersBefore]);
  await db.query(INSERT_DECISIONS, [programIds, customersBefore]);
  await db.query(PAY_OUT, [programIds, customersBefore, now]);
  const [counts] = await db.query<{ sales: number; refunds: number; payouts: number }>(
    `select (select count(*) from sales where program_id = any ($1::bigint[])) as sales,
       (select count(*) from refunds where program_id = any ($1::bigint[])) as refunds,
       (select count(*) from payouts where program_id = any ($1::bigint[])) as payouts`,
    [programIds],
  );
  print(`${counts?.sales} sales, ${counts?.refunds} refunds, ${counts?.payouts} payouts`);
}
