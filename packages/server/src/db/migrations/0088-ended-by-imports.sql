-- Which import's undo ended a membership. Null where a person did, and where an undo did before: imports do not take those up again.
lock table memberships in access exclusive mode;
lock table imports in share row exclusive mode;

alter table memberships add column ended_by_import_id bigint references imports (id);
create index memberships_by_ending_import on memberships (ended_by_import_id) where ended_by_import_id is not null;

-- Whatever happens to the membership next, the undo is not the last to have decided about it.
create function forget_ending_import() returns trigger language plpgsql as $$
begin
  new.ended_by_import_id := null;
  return new;
end $$;
create trigger forget_ending_import before update of status on memberships
  for each row when (old.ended_by_import_id is not null) execute function forget_ending_import();
