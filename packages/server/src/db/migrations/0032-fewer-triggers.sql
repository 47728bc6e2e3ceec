-- The database keeps invariants; rules are in the code. What only served nodes of releases before 0.1.0 goes: 0.1.0 knows all of
-- it. What nodes of 0.1.0 still need is marked with the version in which it may go.

-- Every lock of the migration first, in the order of the writers.
lock table sales, commissions, refunds, terms_versions, audit_events in access exclusive mode;

-- For nodes from before 0004, 0011, 0014, 0023, 0026 and 0027.
drop trigger fill_reported on refunds;
drop function fill_reported();
drop trigger skip_held on commissions;
drop function skip_held();
drop trigger owed_commissions_follow_the_sale on sales;
drop function refuse_other_terms();
drop trigger sales_follow_the_rules on sales;
drop function refuse_without_rules();
drop trigger owed_commissions_follow_the_rules on sales;
drop function refuse_repair_without_rules();
drop trigger refunds_reach_every_commission on sales;
drop function refuse_partial_deduction();
drop trigger audit_names_actor on audit_events;
drop function name_audit_actor();

-- A note says why the terms changed, and may name a person, who can be erased. The terms themselves never change.
drop trigger terms_versions_stay on terms_versions;
create trigger terms_versions_stay before update on terms_versions for each row
  when (to_jsonb(old) - 'note' is distinct from to_jsonb(new) - 'note') execute function refuse_changed_terms();

-- customers/ now takes back the share of a credit itself. Doing it twice changes nothing.
create or replace function reverse_credit() returns trigger language plpgsql as $$
begin
  -- Nodes of 0.1.0 leave it to the database.
  -- until: 0.3.0
  update customer_credits
  set reversed_cents = div(2 * amount_cents::numeric * new.refunded_cents + new.amount_cents, 2 * new.amount_cents)
  where sale_id = new.id;
  return null;
end $$;

-- terms/ now takes revoked commissions off the caps of their rules itself, and says so, because it must happen once:
-- select set_config('svc.releases_caps', 'on', true).
create or replace function release_caps() returns trigger language plpgsql as $$
declare
  -- Nodes of 0.1.0 leave it to the database.
  -- until: 0.3.0
  caps jsonb := (
    select v.rules -> (old.rule - 1) -> 'caps' from terms_versions v
    where v.program_id = old.program_id and v.version = old.terms_version);
  sale sales;
begin
  select * into sale from sales where id = old.sale_id;
  update cap_counts c set cents = greatest(c.cents - old.commission_cents, 0)
  where c.program_id = old.program_id and c.partner_id = old.partner_id and c.currency = old.currency
    and (caps ? 'per_customer_cents' and c.scope = 'customer' and c.scope_id = coalesce(old.customer_id, sale.customer_id)
      or caps ? 'per_partner_month_cents' and c.scope = 'month'
        and c.scope_id = to_char(coalesce(sale.created_at, old.created_at) at time zone 'UTC', 'YYYYMM')::bigint);
  return null;
end $$;
drop trigger release_caps on commissions;
create trigger release_caps after delete on commissions for each row
  when (current_setting('svc.releases_caps', true) is distinct from 'on') execute function release_caps();
