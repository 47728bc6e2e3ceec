lock table memberships in access exclusive mode;

-- The brand's own id of a partner.
alter table memberships add column external_id text collate "C";
create unique index memberships_by_external_id on memberships (program_id, external_id) where external_id is not null;
