-- Months of clicks that have left the store, and what is still to be done about them.
create table retired_click_months (
  month text collate "C" primary key,
  -- The files that the month was archived to. Null if it was dropped or detached.
  files jsonb,
  retired_at timestamptz not null,
  -- When the visitors of this month and earlier ones who never did anything were removed.
  visitors_removed_at timestamptz
);

-- Customers who were erased, and whose clicks of an archived month have still to be cleared in its files.
create table archived_erasures (
  month text collate "C" not null references retired_click_months (month),
  customer_id bigint not null,
  primary key (month, customer_id)
);
