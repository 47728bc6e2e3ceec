-- The mail about a paid payout is the one that says that its statement is ready. Who had switched it off keeps it off.

lock table mails, mail_preferences in share row exclusive mode;

update mails set kind = 'statement_ready' where kind = 'payout_paid';
update mail_preferences set kind = 'statement_ready' where kind = 'payout_paid';

create function rename_paid_mail() returns trigger language plpgsql as $$
begin
  -- Nodes of 0.2.0 queue these mails, and switch them off, by the earlier name.
  -- until: 0.4.0
  new.kind = 'statement_ready';
  return new;
end $$;
create trigger rename_paid_mail before insert on mails
  for each row when (new.kind = 'payout_paid') execute function rename_paid_mail();
create trigger rename_paid_mail before insert on mail_preferences
  for each row when (new.kind = 'payout_paid') execute function rename_paid_mail();
