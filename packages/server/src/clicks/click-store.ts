import { INSERT_CLICKED_CUSTOMERS } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { APPEND_CLICKS } from '../rollups/delta-store.ts';
import type { NewClick, RecordedClick } from './click.ts';

// One statement for a whole group: clicks are the hot path, so a group costs one round trip. Each table's part comes from the
// folder that owns the table.
const INSERT_CLICKS = `
  with input as materialized (
    select i.*, known.id as known_id, coalesce(known.id, nextval('customers_id_seq')) as customer_id,
      nextval('click_ids') as click_row_id, coalesce(known.clicked_at, i.clicked_at) as first_clicked_at
    from json_to_recordset($1::json) as i(
      position int, program_id bigint, link_id bigint, partner_id bigint, membership_id bigint, existing_id bigint,
      existing_at timestamptz, clicked_at timestamptz, is_test boolean, affiliate_url text, page_url text,
      page_title text, referrer_url text, session_id text, user_agent text, screen_resolution text,
      viewport_size text, language text, timezone text, country text, sub text,
      is_relayed boolean)
    left join customers known on known.id = i.existing_id and known.clicked_at = i.existing_at
      and known.program_id = i.program_id and known.is_test = i.is_test
  ), new_customers as (
    ${INSERT_CLICKED_CUSTOMERS}
  ), new_clicks as (
    insert into clicks (id, program_id, link_id, partner_id, customer_id, clicked_at, is_test, affiliate_url, page_url,
      page_title, referrer_url, session_id, user_agent, screen_resolution, viewport_size, language, timezone, country, sub,
      is_relayed)
    select click_row_id, program_id, link_id, partner_id, customer_id, clicked_at, is_test, affiliate_url, page_url,
      page_title, referrer_url, session_id, user_agent, screen_resolution, viewport_size, language, timezone, country, sub,
      is_relayed
    from input
  ), deltas as (
    ${APPEND_CLICKS}
  )
  select position, customer_id as "customerId", click_row_id as "clickRowId",
    case when known_id is not null then first_clicked_at end as "knownSince" from input`;

/** A new customer's time is that of the click, so only a known customer's is sent back and parsed. */
type Row = { position: number; customerId: number; clickRowId: number; knownSince: Date | null };

export async function insertClicks(db: Queryable, clicks: NewClick[]): Promise<RecordedClick[]> {
  const rows = await db.query<Row>(INSERT_CLICKS, [JSON.stringify(clicks.map(clickRow))]);
  const recorded: RecordedClick[] = [];
  for (const { position, customerId, clickRowId, knownSince } of rows) {
    const clickedAt = knownSince ?? (clicks[position] as NewClick).clickedAt;
    recorded[position] = { clickRowId, clickId: { customerId, clickedAt } };
  }
  return recorded;
}

function clickRow(click: NewClick, position: number) {
  const { page } = click;
  return {
    position,
    program_id: click.programId,
    link_id: click.linkId,
    partner_id: click.partnerId,
    membership_id: click.membershipId,
    existing_id: click.existing?.customerId,
    existing_at: click.existing?.clickedAt,
    clicked_at: click.clickedAt,
    is_test: click.isTest,
    affiliate_url: page.affiliateUrl,
    page_url: page.pageUrl,
    page_title: page.pageTitle,
    referrer_url: page.referrerUrl,
    session_id: page.sessionId,
    user_agent: page.userAgent,
    screen_resolution: page.screenResolution,
    viewport_size: page.viewportSize,
    language: page.language,
    timezone: page.timezone,
    country: page.country,
    sub: page.sub,
    is_relayed: click.isRelayed,
  };
}
