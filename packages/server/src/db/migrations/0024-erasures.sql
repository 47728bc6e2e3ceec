-- People who were erased: what identified them is gone, what they paid stays.

lock table customers in access exclusive mode;

-- Set when a customer was erased. Nothing finds such a row by a key, an e-mail address or a click any more.
alter table customers add column erased_at timestamptz;

-- Who was erased, for good, so that it can be repeated after an older backup is restored. A row says nothing about the person:
-- it has the id that the erased row still has, and the time at which that was created, because ids may be given out again
-- after a restore.
create table erasures (
  id bigint generated always as identity primary key,
  subject text not null check (subject in ('customer', 'account')),
  -- Null for accounts.
  program_id bigint,
  subject_id text not null,
  subject_created_at timestamptz not null,
  erased_at timestamptz not null,
  constraint one_erasure_per_subject unique nulls not distinct (subject, program_id, subject_id, subject_created_at),
  check ((subject = 'customer') = (program_id is not null))
);

create function refuse_erasure_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of the list of erasures are never changed or deleted';
end $$;
create trigger erasures_are_append_only before update or delete on erasures
  for each statement execute function refuse_erasure_change();

-- Removes what clicks say about a visit, also from months that the retention of clicks has detached. The link, the partner and
-- the time stay.
create function erase_clicks(erased bigint[]) returns void language plpgsql as $$
declare
  month text;
begin
  for month in
    select 'clicks' union all
    select c.relname::text from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
      and c.relname ~ '^clicks_\d{4}_\d\d$'
  loop
    execute format(
      'update %I set affiliate_url = null, page_url = null, page_title = null, referrer_url = null, session_id = null,
         user_agent = null, screen_resolution = null, viewport_size = null, language = null, timezone = null
       where customer_id = any ($1)', month) using erased;
  end loop;
end $$;
