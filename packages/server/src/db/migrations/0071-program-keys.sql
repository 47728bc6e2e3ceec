-- Two live keys of a program at a time, so that one can take over from the other; keys for tests; and when a key was last used.

lock table program_keys in access exclusive mode;

-- What is reported with such a key counts nowhere. Nodes of an earlier release do not recognize its form.
alter table program_keys add column is_test boolean default false not null;
-- The place that a key takes while it works. Nodes of an earlier release replace all keys of a program by one in the first place.
alter table program_keys add column slot smallint default 1 not null;
alter table program_keys add column last_used_at timestamptz;
alter table program_keys add constraint program_keys_slot check (slot between 1 and 2);
drop index program_keys_in_force;
create unique index program_keys_in_force on program_keys (program_id, is_test, slot) where replaced_at is null;

-- Nobody needs to hear that a key was used.
drop trigger announce on program_keys;
create trigger announce after insert or delete or update of program_id, key_hash, marked_at, rotate_by, replaced_at
  on program_keys for each row execute function announce_change('key', 'key_hash');
