-- Sales and commissions belong to a partner of their program. One check says so, where two said only that program and partner
-- exist; each check costs a sale about as much as inserting the row.

-- Every lock of the migration first.
lock table sales, commissions in access exclusive mode;
lock table programs, partners, memberships in access exclusive mode;

alter table sales drop constraint sales_program_id_fkey, drop constraint sales_partner_id_fkey,
  add constraint sales_are_of_members foreign key (program_id, partner_id)
    references memberships (program_id, partner_id) not valid;
alter table commissions drop constraint commissions_program_id_fkey, drop constraint commissions_partner_id_fkey,
  add constraint commissions_are_of_members foreign key (program_id, partner_id)
    references memberships (program_id, partner_id) not valid;
