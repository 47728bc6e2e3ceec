-- Somebody who had no partner until they were assigned to one has none for payments from before that either.

lock table attributions in access exclusive mode;

alter table attributions alter column partner_id drop not null;
