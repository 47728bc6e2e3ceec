-- Payouts are of a partner of their program, like commissions. One check says so, where two said only that program and partner exist.

-- Every lock of the migration first.
lock table programs, partners, memberships in access exclusive mode;
lock table payouts in access exclusive mode;

alter table payouts drop constraint payouts_program_id_fkey, drop constraint payouts_partner_id_fkey,
  add constraint payouts_are_of_members foreign key (program_id, partner_id)
    references memberships (program_id, partner_id) not valid;
