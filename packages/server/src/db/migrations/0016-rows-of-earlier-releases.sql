-- Rows that nodes of an earlier release write during an upgrade are right, and what they left wrong is repaired.

-- In the order of the writers. Exclusive, because a refund at first only reads the sale that it updates later.
lock table sales, commissions, refunds, programs in access exclusive mode;

-- Nodes from before 0004 do not know that refunds can come from a payment processor. What they record was reported to them.
create function fill_reported() returns trigger language plpgsql as $$
begin
  new.reported_cents := new.amount_cents;
  return new;
end $$;
create trigger fill_reported before insert on refunds for each row
  when (new.source = 'api' and new.reported_cents = 0) execute function fill_reported();

-- Nodes from before 0011 approve a commission when its hold ends, even if it waits for a person. Later ones remove the reason
-- for the hold when a person approves it. The update of the others skips the row.
create function skip_held() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger skip_held before update on commissions for each row
  when (old.stage = 'pending' and new.stage = 'approved' and new.hold_reason is not null) execute function skip_held();

-- Nodes from before 0011 or 0014 create an owed commission without the hold of its sale, or on the gross amount where the net
-- one is meant. The transaction fails, the sale still owes its commission, and a node that knows better creates it.
create function refuse_other_terms() returns trigger language plpgsql as $$
declare
  created commissions;
  net_cents bigint := new.amount_cents - coalesce(new.tax_cents, 0) - coalesce(new.shipping_cents, 0);
begin
  select * into created from commissions where sale_id = new.id;
  if created.hold_reason is distinct from new.hold_reason and created.stage = 'pending'
    or new.commission_base = 'net' and created.commission_type in ('percent', 'recurring_percent')
      and created.commission_cents > round(net_cents * created.commission_rate / 100)
  then
    raise exception 'the commission that sale % owed does not follow the terms of the sale', new.id
      using errcode = 'check_violation', constraint = 'owed_commissions_follow_the_sale';
  end if;
  return null;
end $$;
create constraint trigger owed_commissions_follow_the_sale after update on sales deferrable initially deferred for each row
  when (old.commission_state = 'owed' and new.commission_state = 'created'
    and (new.hold_reason is not null or new.commission_base = 'net'))
  execute function refuse_other_terms();

-- A program of a node from before 0014 pays what that node says: on the gross amount. Later ones name the base themselves.
alter table programs alter column commission_base set default 'gross';

-- Refunds that nodes from before 0004 recorded during the upgrade count as reported with 0. The following refunds of such a
-- sale took too little, or nothing, and could add up to more than the sale.
do $$
declare
  sale record;
  refund record;
  commission commissions;
  reported bigint;
  missing bigint;
  given bigint;
  deduction bigint;
begin
  for sale in
    select * from sales
    where id in (select sale_id from refunds where source = 'api' and reported_cents = 0 and amount_cents > 0) order by id
  loop
    -- As if each refund had known the ones before it: together they never report more than the sale.
    reported := 0;
    for refund in select * from refunds where sale_id = sale.id and source = 'api' order by id loop
      given := case when refund.reported_cents = 0 then refund.amount_cents else refund.reported_cents end;
      given := least(given, sale.amount_cents - reported);
      reported := reported + given;
      if given = 0 and refund.amount_cents = 0 then
        delete from refunds where id = refund.id;
      else
        update refunds set reported_cents = given where id = refund.id;
      end if;
    end loop;

    missing := reported - sale.refunded_cents;
    continue when missing <= 0;
    select * into commission from commissions where sale_id = sale.id and stage <> 'rejected';
    -- To the refunds that took less than was reported. The last one takes what is left.
    for refund in
      select *, lead(id) over (order by id) is null as is_last from refunds
      where sale_id = sale.id and source = 'api' order by id
    loop
      given := case when refund.is_last then missing
        else least(greatest(refund.reported_cents - refund.amount_cents, 0), missing) end;
      continue when given = 0;
      missing := missing - given;
      sale.refunded_cents := sale.refunded_cents + given;
      -- The total in proportion, rounded half up.
      deduction := coalesce(div(2 * commission.commission_cents::numeric * sale.refunded_cents + sale.amount_cents,
        2 * sale.amount_cents) - commission.deducted_cents, 0);
      commission.deducted_cents := commission.deducted_cents + deduction;
      update refunds set amount_cents = amount_cents + given, deduction_cents = deduction_cents + deduction,
        status = case when commission.id is null then 'no_commission'
          when sale.refunded_cents = sale.amount_cents then 'reversed' else 'partially_reversed' end
      where id = refund.id;
      insert into decisions (program_id, kind, outcome, reason, facts, source, customer_id, partner_id, sale_id,
        transaction_id, is_test, created_at)
      values (sale.program_id, 'refund', 'recorded', 'refund_corrected',
        jsonb_build_object('sale_cents', sale.amount_cents, 'refunded_before_cents', sale.refunded_cents - given,
          'refunded_cents', given, 'deduction_cents', deduction, 'refund_id', refund.refund_key),
        'repair', sale.customer_id, sale.partner_id, sale.id, sale.processor_event_id, sale.is_test, now());
    end loop;
    update sales set refunded_cents = sale.refunded_cents where id = sale.id;
    update commissions set deducted_cents = commission.deducted_cents,
      reversal = case when sale.refunded_cents = sale.amount_cents then 'full' else 'partial' end
    where id = commission.id;
  end loop;
end $$;
