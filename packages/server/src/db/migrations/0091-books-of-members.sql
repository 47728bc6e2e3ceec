-- An entry of a partner comes from the same statement as the commission or payout that it is about, with the partner of that row,
-- and both refer to the member. Checking the member again for each entry cost a sale as much as the entry itself. What is left to
-- say is that a member with entries stays one.

-- Every lock of the migration first.
lock table memberships in access exclusive mode;
lock table book_entries in access exclusive mode;

create function keep_booked_members() returns trigger language plpgsql as $$
begin
  if exists (select from book_entries where program_id = old.program_id and partner_id = old.partner_id) then
    raise exception 'A member with entries in the books stays one' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
-- After the row is gone: whoever entered something for it held its lock until then.
create trigger keep_booked_members after delete on memberships for each row execute function keep_booked_members();
create trigger keep_moved_members after update of program_id, partner_id on memberships for each row
  when ((new.program_id, new.partner_id) is distinct from (old.program_id, old.partner_id))
  execute function keep_booked_members();

alter table book_entries drop constraint book_entries_program_id_partner_id_fkey;
