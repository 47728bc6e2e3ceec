-- Invitations of many partners, links and coupons as bulk actions.

lock table bulk_actions in access exclusive mode;

alter table bulk_actions drop constraint bulk_actions_kind_check;
alter table bulk_actions add constraint bulk_actions_kind_check check (kind in (
  'review_commissions', 'mark_payouts_paid', 'create_payouts', 'change_partners', 'invite_partners', 'resend_invitations',
  'change_links', 'change_coupons'
));

-- What became of each row, for bulk actions that invite. Names and addresses are those of the partner.
create table bulk_action_rows (
  id bigint generated always as identity primary key,
  bulk_action_id bigint not null references bulk_actions (id) on delete cascade,
  -- The position in the request, from 0.
  row_number integer not null,
  outcome text not null,
  -- Why the row was refused.
  message text,
  partner_id bigint,
  invitation_id bigint,
  -- Why the link of the invitation was not mailed. Only then is its token kept.
  mail_refusal text,
  token_sealed text,
  created_at timestamptz not null
);
create unique index bulk_action_rows_in_order on bulk_action_rows (bulk_action_id, row_number);
