lock table workspace_members, invitations, audit_events in access exclusive mode;

-- Beside owners and members (whom people know as admins): finance, and viewers, who change nothing.
alter table workspace_members drop constraint workspace_members_role_check;
alter table workspace_members add constraint workspace_members_role_check
  check (role in ('owner', 'member', 'finance', 'viewer'));
alter table invitations drop constraint invitations_role_check;
alter table invitations add constraint invitations_role_check
  check (role in ('owner', 'member', 'finance', 'viewer', 'partner'));

-- Who it was, as they were called at the time: a person, an account token of theirs, a program key, the operator or a job.
alter table audit_events
  add column actor_kind text not null default 'unknown'
    check (actor_kind in ('person', 'token', 'key', 'operator', 'job', 'unknown')),
  add column actor_id text,
  add column actor_name text,
  add column program_id bigint,
  add column subject_name text;

update audit_events e set
  actor_kind = case when e.user_id is null then 'operator' else 'person' end,
  actor_id = e.user_id,
  actor_name = (select u.name from users u where u.id = e.user_id),
  program_id = case when e.subject = 'program' then e.subject_id::bigint else (e.after ->> 'program_id')::bigint end,
  subject_name = case when e.subject = 'partner' then (select p.name from partners p where p.id = e.subject_id::bigint) end;

-- Nodes of the previous release know only the user, and name the program in `after`.
create function name_audit_actor() returns trigger language plpgsql as $$
begin
  new.actor_kind := case when new.user_id is null then 'operator' else 'person' end;
  new.actor_id := new.user_id;
  new.actor_name := (select u.name from users u where u.id = new.user_id);
  new.program_id := substring(
    case when new.subject = 'program' then new.subject_id else new.after ->> 'program_id' end from '^\d{1,18}$')::bigint;
  return new;
end $$;
create trigger audit_names_actor before insert on audit_events
  for each row when (new.actor_kind = 'unknown') execute function name_audit_actor();

-- One for each filter of the list and for the common pairs, all in the order of the list.
drop index audit_events_by_advertiser;
create index audit_events_by_time on audit_events (advertiser_id, created_at, id);
create index audit_events_by_program on audit_events (advertiser_id, program_id, created_at, id);
create index audit_events_by_user on audit_events (advertiser_id, user_id, created_at, id);
create index audit_events_by_kind on audit_events (advertiser_id, actor_kind, created_at, id);
create index audit_events_by_action on audit_events (advertiser_id, action, created_at, id);
create index audit_events_by_program_action on audit_events (advertiser_id, program_id, action, created_at, id);
create index audit_events_by_user_action on audit_events (advertiser_id, user_id, action, created_at, id);
-- For the job that removes old rows of all workspaces.
create index audit_events_by_age on audit_events (created_at);

-- Rows are only ever added. A transaction that may remove old rows, or a person from rows, says so first:
-- select set_config('svc.audit_change', 'purge' or 'erase', true).
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('svc.audit_change', true) = 'purge' then return null; end if;
  if tg_op = 'UPDATE' and current_setting('svc.audit_change', true) = 'erase' then return null; end if;
  raise exception 'Rows of the audit log are never changed or deleted';
end $$;
create trigger audit_is_append_only before update or delete on audit_events
  for each statement execute function refuse_audit_change();
