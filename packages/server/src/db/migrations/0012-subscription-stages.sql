lock table sales in access exclusive mode;

-- How the payment of a subscription came about: its start, a new period, or a change within one. The first payment of a
-- subscription is a sale whatever it is, and only the database knows which one that is.
alter table sales add column subscription_stage text check (subscription_stage in ('start', 'cycle', 'change'));
create index sales_by_subscription on sales (program_id, subscription_id, created_at, id) where subscription_id is not null;
