import type { Queryable } from '../../db/db.ts';

/** The latest click that a page of the brand's site reported, live or through the test link. */
export type OwnClick = { at: Date; landingUrl: string; isTest: boolean; isRelayed: boolean };
/** The latest signup that the site or its server reported, a referred one first. */
export type OwnLead = { at: Date; source: 'page' | 'server'; isReferred: boolean; isTest: boolean };
/** The latest sale that the server or a payment processor reported. */
export type OwnSale = {
  at: Date;
  source: 'processor' | 'api';
  transactionId: string;
  amountCents: number;
  currency: string;
  isReferred: boolean;
  isTest: boolean;
};

export type OwnEvents = { click: OwnClick | null; lead: OwnLead | null; sale: OwnSale | null };

// A browser always names itself, and the service's own tests do not: they send no user agent. Nothing says who relayed a click
// that only a redirect has recorded: the site behind it may have no tracker. Only the latest clicks are searched, so that the
// answer takes the same time whatever they are.
const FIND_CLICK = `
  select clicked_at as at, affiliate_url as "landingUrl", is_test as "isTest",
    is_relayed as "isRelayed" from (
    select clicked_at, affiliate_url, is_test, user_agent, is_relayed from clicks
    where program_id = $1 order by clicked_at desc limit 1000) latest
  where is_relayed is not null and user_agent is not null and affiliate_url is not null
  order by clicked_at desc limit 1`;

// Most visitors sign up without a partner's link, so only the latest signups are searched for a referred one.
const FIND_LEAD = `
  select at, source, is_referred as "isReferred", is_test as "isTest" from (
    (select lead_at as at, case when lead_source = 'page' then 'page' else 'server' end as source,
       partner_id is not null as is_referred, false as is_test
     from customers where program_id = $1 and lead_at is not null and not is_test order by lead_at desc limit 100)
    union all
    (select created_at, case when source = 'browser' then 'page' else 'server' end, partner_id is not null, true
     from decisions
     where program_id = $1 and kind = 'lead' and is_test and outcome = 'recorded' and source <> 'synthetic'
     order by created_at desc limit 100)) leads
  order by is_referred desc, at desc limit 1`;

// A test payment of a live customer belongs to nobody, but says whom it would have credited. How a sale arrived is in the
// decision about it. Decisions are not kept for ever; a sale without one counts as reported.
const FIND_SALE = `
  with latest as (
    (select id, created_at as at, partner_id is not null as is_referred from sales
     where program_id = $1 and not is_test order by created_at desc, id desc limit 1)
    union all
    (select d.sale_id, d.created_at, d.partner_id is not null or d.facts ->> 'would_credit_partner_id' is not null
     from decisions d
     where d.program_id = $1 and d.kind = 'sale' and d.is_test and d.outcome = 'recorded' and d.source <> 'synthetic'
     order by d.created_at desc limit 100)
  )
  select latest.at, s.processor_event_id as "transactionId", s.amount_cents as "amountCents", s.currency,
    latest.is_referred as "isReferred", s.is_test as "isTest",
    case when exists (
      select 1 from decisions d where d.program_id = $1 and d.transaction_id = s.processor_event_id
        and d.sale_id = s.id and d.kind = 'sale' and d.source = 'processor') then 'processor' else 'api' end as source
  from latest join sales s on s.id = latest.id
  order by latest.is_referred desc, latest.at desc limit 1`;

/** The latest events that the brand's site, its server or its payment processor sent. */
export async function findOwnEvents(db: Queryable, programId: number): Promise<OwnEvents> {
  const [[click], [lead], [sale]] = await Promise.all([
    db.query<OwnClick>(FIND_CLICK, [programId]),
    db.query<OwnLead>(FIND_LEAD, [programId]),
    db.query<OwnSale>(FIND_SALE, [programId]),
  ]);
  return { click: click ?? null, lead: lead ?? null, sale: sale ?? null };
}
