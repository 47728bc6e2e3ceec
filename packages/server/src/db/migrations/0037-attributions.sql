-- Whose customer somebody was, and since when. A payment credits the partner of the time at which it was made, however late it is
-- reported.

-- Every lock of the migration first, in the order of the writers.
lock table customers, partners in share row exclusive mode;

-- Customers who were never moved have no rows: their own row says whose they are. It always says what holds last.
create table attributions (
  customer_id bigint not null references customers on delete cascade,
  since timestamptz not null,
  partner_id bigint not null references partners on delete cascade,
  membership_id bigint,
  link_id bigint,
  -- Null if the customer came through the link.
  assigned_at timestamptz,
  primary key (customer_id, since)
);
create index attributions_by_partner on attributions (partner_id);

create function keep_attribution() returns trigger language plpgsql as $$
begin
  -- Nodes of 0.2.0 move customers without keeping whose they were.
  -- until: 0.4.0
  insert into attributions (customer_id, since, partner_id, membership_id, link_id, assigned_at)
  select c.id, coalesce(c.assigned_at, '-infinity'), c.partner_id, c.membership_id, c.link_id, c.assigned_at
  from (select old.* union all select new.*) c
  where c.partner_id is not null
  on conflict do nothing;
  return null;
end $$;
create trigger keep_attribution after update of assigned_at on customers for each row
  when (new.assigned_at is distinct from old.assigned_at) execute function keep_attribution();
