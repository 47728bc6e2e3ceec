lock table sessions in access exclusive mode;

-- How many mails of a kind an address or a workspace has had within a stretch of time. Nodes count here, so that two of them
-- together allow no more than one.
create table mail_counts (
  -- 'address ' and the hash of a mailbox, or 'workspace ' and its id.
  counted text collate "C" not null,
  kind text collate "C" not null,
  since timestamptz not null,
  count integer not null,
  primary key (counted, kind, since)
);
create index mail_counts_by_time on mail_counts (since);

-- When its user last gave a code, a recovery code or a passkey. Null after a password alone, and in sessions of earlier releases.
alter table sessions add column factor_proved_at timestamptz;
