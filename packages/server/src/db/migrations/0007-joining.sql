-- Programs can have a link that anybody joins with; the brand then looks at them first, or not.

lock table programs, partners, memberships in access exclusive mode;

alter table programs add column joining text not null default 'closed' check (joining in ('closed', 'on_approval', 'open'));
-- Meant to be passed around, so it is kept as it is, but nobody can guess it; a new one stops the one before.
alter table programs add column join_token text collate "C" not null unique
  default 'svc_join_' || replace(gen_random_uuid()::text, '-', '');

alter table memberships drop constraint memberships_status_check;
alter table memberships add constraint memberships_status_check
  check (status in ('applied', 'active', 'blocked', 'removed'));

-- Whether somebody became a partner by themselves, under an address that nobody has proven, and the brand has not looked at
-- them yet.
alter table partners add column joined_itself boolean not null default false;
