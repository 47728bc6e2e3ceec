-- A payout whose transfer failed, even after it was marked as paid. What it covered is due again.

lock table payouts in access exclusive mode;

alter table payouts add column failed_at timestamptz, add column failure_reason text;
alter table payouts drop constraint payouts_status_check;
alter table payouts add constraint payouts_status_check check (status in ('open', 'paid', 'failed', 'cancelled')) not valid;
-- One that failed keeps when it was paid, if it was.
alter table payouts drop constraint payouts_check;
alter table payouts add constraint payouts_paid_at_check
  check (case status when 'paid' then paid_at is not null when 'failed' then true else paid_at is null end) not valid;
alter table payouts add constraint payouts_failed_at_check
  check ((status = 'failed') = (failed_at is not null) and (failed_at is null) = (failure_reason is null)) not valid;
