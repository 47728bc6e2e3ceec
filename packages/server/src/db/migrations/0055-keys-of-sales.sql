-- A sale checks that its customer exists, a commission and a refund that their sale does. Their programs and partners are those
-- that the service has just read, and memberships keep both from being deleted. Checking them again, row by row, took a third of
-- the time that storing a sale takes.

-- Every lock of the migration first.
lock table programs, partners, sales, commissions, refunds in access exclusive mode;

alter table sales drop constraint sales_program_id_fkey, drop constraint sales_partner_id_fkey;
alter table commissions drop constraint commissions_program_id_fkey, drop constraint commissions_partner_id_fkey;
alter table refunds drop constraint refunds_program_id_fkey;
