import type { TestService } from './service.ts';

const FILL = `
  with people as (
    insert into partners (advertiser_id, name, email, created_at)
    select $1, 'Partner ' || lpad(n::text, 3, '0'), 'partner-' || n || '-' || $2 || '@partner.test', $3::timestamptz
    from generate_series(1, $4) n order by n returning id, name
  ), numbered as (
    select id, substr(name, 9)::int as n from people
  ), joined as (
    insert into memberships (program_id, partner_id, created_at) select $2::bigint, id, $3 from numbered
  ), buyers as (
    insert into customers (program_id, partner_id, customer_key, status, created_at, clicked_at)
    select $2::bigint, id, 'buyer-' || n, 'conversion', $3, $3 from numbered returning id, partner_id
  ), sold as (
    insert into sales (processor_event_id, program_id, customer_id, partner_id, amount_cents, currency, sale_type, is_recurring,
      commission_state, commission_type, created_at)
    select 'order-' || $2 || '-' || n, $2::bigint, b.id, b.partner_id, 10000 + n, 'USD', 'payment', false, 'created', 'percent',
      $3::timestamptz + ((n - 1) % 31) * interval '1 day' + interval '23 hours 59 minutes'
    from numbered join buyers b on b.partner_id = numbered.id
    returning id, partner_id, created_at
  )
  insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents, currency,
    approve_after, hold_reason, created_at)
  select id, $2::bigint, partner_id, 'percent', 20, 2000, 'USD', created_at, 'self_referral', created_at from sold`;

/**
 * Adds partners to the program, each with a sale that earned 20.00 in the last minute of a day of the month. They are held for
 * review, so that no job approves them.
 */
export async function soldByMany(
  service: Pick<TestService, 'sql'>,
  { workspaceId, program }: { workspaceId: number; program: { id: number } },
  partners: number,
  month: string,
): Promise<void> {
  await service.sql(FILL, [workspaceId, program.id, `${month}-01T00:00:00Z`, partners]);
}
