-- Messages of a brand to its partners, and the opening paragraphs of mails in its own words.
lock table programs, partners, users in share row exclusive mode;
lock table bulk_actions in access exclusive mode;

alter table bulk_actions drop constraint bulk_actions_kind_check;
alter table bulk_actions add constraint bulk_actions_kind_check check (kind in (
  'review_commissions', 'mark_payouts_paid', 'create_payouts', 'change_partners', 'invite_partners', 'resend_invitations',
  'change_links', 'change_coupons', 'message_partners'
));

create table partner_messages (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  subject text not null,
  text text not null,
  -- How many partners were selected.
  total integer not null check (total >= 0),
  sent_by text references users (id) on delete set null,
  created_at timestamptz not null
);
create index partner_messages_by_program on partner_messages (program_id, id);
create index partner_messages_of_users on partner_messages (sent_by) where sent_by is not null;

-- What became of a message for each partner: `queued`, or why they do not get it.
create table partner_message_rows (
  message_id bigint not null references partner_messages (id) on delete cascade,
  partner_id bigint not null references partners (id) on delete cascade,
  outcome text not null,
  constraint partner_message_rows_pkey primary key (message_id, partner_id)
);
create index partner_message_rows_of_partners on partner_message_rows (partner_id);
