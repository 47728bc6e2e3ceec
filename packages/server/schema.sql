-- The schema as it is after all migrations, to be read. Migrations change it; `npm run schema` writes this file.
-- A function that only serves nodes of an earlier release says until which version it is needed: -- until: <version>

create sequence click_ids;

create sequence results_missed;

-- Tokens with which the CLI, scripts and assistants act for an account; only hashes are stored.
create table account_tokens (
  id bigint generated always as identity not null,
  user_id text not null,
  token_hash text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  name text,
  last_used_at timestamptz,
  audience text,
  scopes text[],
  client_hash text collate "C",
  client_address text,
  program_id bigint,
  constraint account_tokens_pkey primary key (id),
  constraint account_tokens_token_hash_key unique (token_hash),
  constraint account_tokens_limited check (((scopes is not null) or ((audience is null) and (program_id is null) and (expires_at is not null)))),
  constraint account_tokens_of_applications check ((num_nulls(audience, client_hash, client_address) = any (array[0, 3])))
);
create index account_tokens_by_expiry on account_tokens (expires_at);
create index account_tokens_by_user on account_tokens (user_id);

-- Links that prove an e-mail address of an account, by the hash of their token.
create table address_links (
  token_hash text collate "C" not null,
  user_id text not null,
  purpose text not null,
  address text not null,
  new_address text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  constraint address_links_pkey primary key (token_hash),
  constraint address_links_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint address_links_purpose_check check ((purpose = any (array['verify', 'old', 'new'])))
);
create index address_links_by_expiry on address_links (expires_at);
create index address_links_by_user on address_links (user_id);

-- Workspaces: the brands that run programs.
create table advertisers (
  id bigint generated always as identity not null,
  name text not null,
  created_at timestamptz default now() not null,
  second_factor_required boolean default false not null,
  constraint advertisers_pkey primary key (id)
);

-- Which version of a program’s agreement a partner accepted, and when.
create table agreement_acceptances (
  program_id bigint not null,
  partner_id bigint not null,
  version integer not null,
  user_id text not null,
  accepted_at timestamptz not null,
  constraint agreement_acceptances_pkey primary key (program_id, partner_id, version, user_id),
  constraint agreement_acceptances_partner_id_fkey foreign key (partner_id) references partners(id) on delete cascade,
  constraint agreement_acceptances_program_id_version_fkey foreign key (program_id, version) references agreements(program_id, version)
);
create index agreement_acceptances_by_partner on agreement_acceptances (partner_id);

-- Versions of the text that partners of a program agree to.
create table agreements (
  program_id bigint not null,
  version integer not null,
  text text not null,
  made_by text,
  created_at timestamptz not null,
  constraint agreements_pkey primary key (program_id, version),
  constraint agreements_program_id_fkey foreign key (program_id) references programs(id),
  constraint agreements_version_check check ((version > 0))
);

-- What is or was wrong with a program, from when to when.
create table alerts (
  id bigint generated always as identity not null,
  program_id bigint not null,
  kind text not null,
  subject_id text not null,
  subject_name text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  constraint alerts_pkey primary key (id),
  constraint alerts_program_id_fkey foreign key (program_id) references programs(id),
  constraint alerts_kind_check check ((kind = any (array['webhook_failing', 'payment_events_failing', 'books_differ']))) not valid
);
create index alerts_closed on alerts (program_id, closed_at) where (closed_at is not null);
create unique index alerts_open on alerts (program_id, kind, subject_id) where (closed_at is null);

-- Erased customers whose clicks have still to be cleared in the files of an archived month.
create table archived_erasures (
  month text collate "C" not null,
  customer_id bigint not null,
  constraint archived_erasures_pkey primary key (month, customer_id),
  constraint archived_erasures_month_fkey foreign key (month) references retired_click_months(month)
);

-- Whose customer a person was, and since when. Customers who were never moved have no rows.
create table attributions (
  customer_id bigint not null,
  since timestamptz not null,
  partner_id bigint,
  membership_id bigint,
  link_id bigint,
  assigned_at timestamptz,
  constraint attributions_pkey primary key (customer_id, since),
  constraint attributions_customer_id_fkey foreign key (customer_id) references customers(id) on delete cascade,
  constraint attributions_partner_id_fkey foreign key (partner_id) references partners(id) on delete cascade
);
create index attributions_by_partner on attributions (partner_id);

-- Who changed what. Rows are only added; a job removes old ones, and an erasure removes names.
create table audit_events (
  id bigint generated always as identity not null,
  advertiser_id bigint,
  user_id text,
  action text not null,
  subject text not null,
  subject_id text not null,
  before jsonb default '{}'::jsonb not null,
  after jsonb default '{}'::jsonb not null,
  request_id text,
  created_at timestamptz not null,
  actor_kind text default 'unknown' not null,
  actor_id text,
  actor_name text,
  program_id bigint,
  subject_name text,
  constraint audit_events_pkey primary key (id),
  constraint audit_events_actor_kind_check check ((actor_kind = any (array['person', 'token', 'key', 'operator', 'job', 'unknown'])))
);
create index audit_events_by_action on audit_events (advertiser_id, action, created_at, id);
create index audit_events_by_age on audit_events (created_at);
create index audit_events_by_kind on audit_events (advertiser_id, actor_kind, created_at, id);
create index audit_events_by_program on audit_events (advertiser_id, program_id, created_at, id);
create index audit_events_by_program_action on audit_events (advertiser_id, program_id, action, created_at, id);
create index audit_events_by_subject on audit_events (subject, subject_id, id);
create index audit_events_by_time on audit_events (advertiser_id, created_at, id);
create index audit_events_by_user on audit_events (advertiser_id, user_id, created_at, id);
create index audit_events_by_user_action on audit_events (advertiser_id, user_id, action, created_at, id);
create index audit_events_by_user_program on audit_events (advertiser_id, user_id, program_id, created_at, id);
create trigger audit_is_append_only before delete or update on audit_events for each statement execute function refuse_audit_change();

-- Double-entry books: what was earned, owed and paid. Never changed.
create table book_entries (
  id bigint generated always as identity not null,
  program_id bigint not null,
  partner_id bigint,
  currency text not null,
  kind text not null,
  commission_id bigint,
  payout_id bigint,
  credit_id bigint,
  at timestamptz not null,
  expense_cents numeric not null,
  pending_cents numeric default 0 not null,
  payable_cents numeric default 0 not null,
  in_payouts_cents numeric default 0 not null,
  paid_cents numeric default 0 not null,
  credits_cents numeric default 0 not null,
  constraint book_entries_pkey primary key (program_id, id),
  constraint entries_sum_to_zero check ((expense_cents = ((((pending_cents + payable_cents) + in_payouts_cents) + paid_cents) + credits_cents)))
);
create index book_entries_of_partners on book_entries (program_id, partner_id);
create trigger books_are_append_only before delete or update on book_entries for each statement execute function refuse_book_change();

-- Since when the books of a program are complete, and how their last comparison went.
create table books (
  program_id bigint not null,
  opened_at timestamptz,
  opens_at timestamptz not null,
  proved_at timestamptz,
  differences jsonb,
  constraint books_pkey primary key (program_id),
  constraint books_program_id_fkey foreign key (program_id) references programs(id),
  constraint proofs_say_what_they_found check (((proved_at is null) = (differences is null)))
);

-- What became of each row of bulk actions that invite partners.
create table bulk_action_rows (
  id bigint generated always as identity not null,
  bulk_action_id bigint not null,
  row_number integer not null,
  outcome text not null,
  message text,
  partner_id bigint,
  invitation_id bigint,
  mail_refusal text,
  token_sealed text,
  created_at timestamptz not null,
  constraint bulk_action_rows_pkey primary key (id),
  constraint bulk_action_rows_bulk_action_id_fkey foreign key (bulk_action_id) references bulk_actions(id) on delete cascade
);
create unique index bulk_action_rows_in_order on bulk_action_rows (bulk_action_id, row_number);

-- Rows that a bulk action has not worked on yet, some in each slice.
create table bulk_action_slices (
  bulk_action_id bigint not null,
  number integer not null,
  items jsonb not null,
  constraint bulk_action_slices_pkey primary key (bulk_action_id, number),
  constraint bulk_action_slices_bulk_action_id_fkey foreign key (bulk_action_id) references bulk_actions(id) on delete cascade
);

-- Changes to many rows that the service works through: what, how far, and what became of it.
create table bulk_actions (
  id bigint generated always as identity not null,
  program_id bigint not null,
  kind text not null,
  change jsonb not null,
  status text default 'running' not null,
  total integer not null,
  changed integer default 0 not null,
  skipped jsonb default '{}'::jsonb not null,
  failures integer default 0 not null,
  due_at timestamptz not null,
  created_by text,
  actor jsonb not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  stop_reason text,
  constraint bulk_actions_pkey primary key (id),
  constraint bulk_actions_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  constraint bulk_actions_program_id_fkey foreign key (program_id) references programs(id),
  constraint bulk_actions_kind_check check ((kind = any (array['review_commissions', 'mark_payouts_paid', 'create_payouts', 'change_partners', 'invite_partners', 'resend_invitations', 'change_links', 'change_coupons', 'message_partners']))),
  constraint bulk_actions_status_check check ((status = any (array['running', 'done', 'stopped', 'failed']))),
  constraint bulk_actions_stop_reason_check check ((stop_reason = any (array['requested', 'role_lost']))),
  constraint bulk_actions_total_check check ((total >= 0)),
  constraint finished_at_a_time check (((status = 'running') = (finished_at is null)))
);
create index bulk_actions_by_program on bulk_actions (program_id, id);
create index bulk_actions_due on bulk_actions (due_at, id) where (status = 'running');
create index bulk_actions_of_users on bulk_actions (created_by) where (created_by is not null);
create unique index one_running_bulk_action on bulk_actions (program_id, kind) where (status = 'running');

-- How much of a cap is used, by customer or by partner and month.
create table cap_counts (
  program_id bigint not null,
  partner_id bigint not null,
  scope text not null,
  scope_id bigint not null,
  currency text not null,
  cents bigint default 0 not null,
  constraint cap_counts_pkey primary key (program_id, partner_id, scope, scope_id, currency),
  constraint cap_counts_program_id_fkey foreign key (program_id) references programs(id),
  constraint cap_counts_cents_check check ((cents >= 0)),
  constraint cap_counts_scope_check check ((scope = any (array['customer', 'month'])))
);

-- When the test chain of a program last ran through.
create table chain_runs (
  program_id bigint not null,
  ran_at timestamptz not null,
  constraint chain_runs_program_id_fkey foreign key (program_id) references programs(id)
);
create index chain_runs_by_program on chain_runs (program_id, ran_at);

-- Logins of the command line tool that wait for approval in the browser.
create table cli_sessions (
  state_hash text collate "C" not null,
  user_code text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  user_id text,
  consumed_at timestamptz,
  device_name text,
  constraint cli_sessions_pkey primary key (state_hash)
);
create index cli_sessions_by_expiry on cli_sessions (expires_at);
create index cli_sessions_by_user on cli_sessions (user_id) where ((user_id is not null) and (consumed_at is null));

-- Clicks by link and day, up to migration 0040. For nodes of 0.2.0, until 0.4.0.
create table click_days (
  program_id bigint not null,
  day date not null,
  link_id bigint not null,
  partner_id bigint not null,
  clicks bigint not null,
  constraint click_days_pkey primary key (program_id, day, link_id)
);

-- Always empty: passes on what nodes of 0.2.0 append. Until 0.4.0.
create table click_deltas (
  program_id bigint not null,
  link_id bigint not null,
  partner_id bigint not null,
  hour timestamptz not null,
  clicks integer not null
);
create trigger append_clicks before insert on click_deltas for each row execute function append_clicks();

-- Clicks of a partner by day, split by page, referrer, device, country, campaign and sub-id.
create table click_facet_days (
  program_id bigint not null,
  day date not null,
  partner_id bigint not null,
  landing_page text not null,
  referrer text not null,
  device text not null,
  country text not null,
  utm_source text not null,
  utm_medium text not null,
  utm_campaign text not null,
  sub text default '[]' not null,
  constraint click_facet_days_pkey primary key (program_id, day, partner_id)
);
create index click_facet_days_by_partner on click_facet_days (program_id, partner_id, day);

-- Clicks by link and hour.
create table click_hours (
  program_id bigint not null,
  hour timestamptz not null,
  link_id bigint not null,
  partner_id bigint not null,
  clicks bigint not null,
  constraint click_hours_pkey primary key (program_id, hour, link_id)
);

-- Every click, with what the browser told about the visit; one partition a month.
create table clicks (
  id bigint default nextval('click_ids'::regclass) not null,
  program_id bigint not null,
  link_id bigint,
  partner_id bigint,
  customer_id bigint not null,
  clicked_at timestamptz not null,
  is_test boolean default false not null,
  affiliate_url text,
  page_url text,
  page_title text,
  referrer_url text,
  session_id text,
  user_agent text,
  screen_resolution text,
  viewport_size text,
  language text,
  timezone text,
  country text,
  sub text,
  is_relayed boolean
) partition by range (clicked_at);
create index clicks_by_customer on only clicks (customer_id);
create index clicks_by_program on only clicks (program_id, clicked_at);

-- Clicks of months that have no partition of their own yet.
create table clicks_other_months partition of clicks default;

-- What partners earn: for sales and leads, by hand, and for partners they recruited.
create table commissions (
  id bigint generated always as identity not null,
  sale_id bigint,
  program_id bigint not null,
  partner_id bigint not null,
  commission_type text not null,
  commission_rate numeric(16,4) not null,
  commission_cents bigint not null,
  deducted_cents bigint default 0 not null,
  currency text not null,
  stage text default 'pending' not null,
  reversal text default 'none' not null,
  approve_after timestamptz not null,
  approved_at timestamptz,
  created_at timestamptz not null,
  settled_cents bigint default 0 not null,
  due_cents bigint generated always as ((
    case
        when (stage = any (array['approved', 'paid'])) then (commission_cents - deducted_cents)
        else (0)::bigint
    end - settled_cents)) stored,
  hold_reason text,
  rejection_reason text,
  terms_facts jsonb,
  kind text default 'sale' not null,
  customer_id bigint,
  link_id bigint,
  reason text,
  terms_version integer,
  rule integer,
  constraint commissions_pkey primary key (id),
  constraint one_commission_per_sale unique (sale_id, kind),
  constraint commissions_are_of_members foreign key (program_id, partner_id) references memberships(program_id, partner_id) not valid,
  constraint commissions_customer_id_fkey foreign key (customer_id) references customers(id),
  constraint commissions_sale_id_fkey foreign key (sale_id) references sales(id),
  constraint commissions_commission_cents_check check ((((commission_cents >= '-9007199254740991'::bigint) and (commission_cents <= '9007199254740991'::bigint)) and
    case kind
        when 'adjustment' then (commission_cents <> 0)
        when 'bonus' then (commission_cents > 0)
        else (commission_cents >= 0)
    end)),
  constraint commissions_have_a_cause check (
    case kind
        when 'sale' then (sale_id is not null)
        when 'lead' then ((sale_id is null) and (customer_id is not null))
        when 'override' then ((sale_id is null) <> (customer_id is null))
        else ((sale_id is null) and (customer_id is null) and (reason is not null))
    end),
  constraint commissions_hold_reason_check check ((hold_reason = any (array['self_referral', 'email_from_page', 'claimed_key']))) not valid,
  constraint commissions_kind_check check ((kind = any (array['sale', 'lead', 'bonus', 'adjustment', 'override']))),
  constraint commissions_reversal_check check ((reversal = any (array['none', 'partial', 'full']))),
  constraint commissions_stage_check check ((stage = any (array['pending', 'approved', 'paid', 'rejected']))),
  constraint deductions_never_above_the_commission check (((deducted_cents >= 0) and (deducted_cents <= greatest(commission_cents, (0)::bigint))))
);
create index commissions_by_partner on commissions (partner_id, created_at, id);
create index commissions_by_program on commissions (program_id, created_at, id);
create index commissions_due on commissions (program_id, partner_id, currency) where (due_cents <> 0);
create index commissions_on_hold on commissions (approve_after) where (stage = 'pending');
create index commissions_pending on commissions (program_id, partner_id, currency) where (stage = 'pending');
create index commissions_without_sale on commissions (program_id, created_at, id) where (sale_id is null);
create unique index one_commission_per_lead on commissions (customer_id, kind) where (customer_id is not null);
create trigger count_before after update on commissions referencing old table as changed for each statement execute function count_commissions('-1');
create trigger count_gone after delete on commissions referencing old table as changed for each statement execute function count_commissions('-1');
create trigger count_new after insert on commissions referencing new table as changed for each statement execute function count_commissions('1');
create trigger count_now after update on commissions referencing new table as changed for each statement execute function count_commissions('1');
create trigger release_caps after delete on commissions for each row when ((current_setting('svc.releases_caps', true) is distinct from 'on')) execute function release_caps();

-- What clicks, leads, sales and commissions add to the counts, until it is rolled up.
create table count_deltas (
  program_id bigint not null,
  hour timestamptz not null,
  partner_id bigint,
  link_id bigint,
  currency text,
  clicks integer default 0 not null,
  leads integer default 0 not null,
  first_sales integer default 0 not null,
  sales integer default 0 not null,
  revenue_cents numeric default 0 not null,
  refunded_cents numeric default 0 not null,
  commission_cents numeric default 0 not null
);

-- Clicks and results by link and day, by program and day, and by link since the beginning.
create table counts (
  program_id bigint not null,
  span text not null,
  day date,
  partner_id bigint,
  link_id bigint,
  currency text,
  clicks bigint default 0 not null,
  leads bigint default 0 not null,
  first_sales bigint default 0 not null,
  sales bigint default 0 not null,
  revenue_cents numeric default 0 not null,
  refunded_cents numeric default 0 not null,
  commission_cents numeric default 0 not null,
  constraint counts_program_id_span_day_partner_id_link_id_currency_key unique nulls not distinct (program_id, span, day, partner_id, link_id, currency),
  constraint counts_span_check check ((span = any (array['link_day', 'program_day', 'link'])))
);

-- Codes that attribute a sale to a partner without a click.
create table coupons (
  id bigint generated always as identity not null,
  program_id bigint not null,
  partner_id bigint not null,
  code text not null,
  code_key text collate "C" not null,
  active boolean default true not null,
  created_at timestamptz not null,
  constraint coupons_pkey primary key (id),
  constraint one_coupon_per_code unique (program_id, code_key),
  constraint coupons_partner_id_fkey foreign key (partner_id) references partners(id),
  constraint coupons_program_id_fkey foreign key (program_id) references programs(id),
  constraint coupons_code_check check (((char_length(code) >= 1) and (char_length(code) <= 64)))
);
create index coupons_by_partner on coupons (partner_id);

-- The files of creatives.
create table creative_files (
  creative_id bigint not null,
  program_id bigint not null,
  name text not null,
  media_type text not null,
  size_bytes integer not null,
  width integer,
  height integer,
  sha256 text not null,
  content_base64 text not null,
  constraint creative_files_pkey primary key (creative_id),
  constraint creative_files_creative_id_fkey foreign key (creative_id) references creatives(id) on delete cascade,
  constraint creative_files_program_id_fkey foreign key (program_id) references programs(id),
  constraint creative_files_size_bytes_check check ((size_bytes > 0))
);
create index creative_files_by_program on creative_files (program_id);

-- Files, links and texts that a brand gives its partners.
create table creatives (
  id bigint generated always as identity not null,
  program_id bigint not null,
  kind text not null,
  title text not null,
  status text default 'draft' not null,
  group_id bigint,
  position integer not null,
  url text,
  text text,
  created_at timestamptz not null,
  constraint creatives_pkey primary key (id),
  constraint creatives_group_id_fkey foreign key (group_id) references partner_groups(id),
  constraint creatives_program_id_fkey foreign key (program_id) references programs(id),
  constraint creatives_kind_check check ((kind = any (array['file', 'link', 'text']))),
  constraint creatives_status_check check ((status = any (array['draft', 'published']))),
  constraint one_content check ((((url is not null) = (kind = 'link')) and ((text is not null) = (kind = 'text'))))
);
create index creatives_by_group on creatives (group_id) where (group_id is not null);
create index creatives_by_program on creatives (program_id, "position", id);

-- What the brand grants to a customer for their first sale or their lead.
create table customer_credits (
  id bigint generated always as identity not null,
  program_id bigint not null,
  customer_id bigint not null,
  sale_id bigint,
  amount_cents bigint not null,
  reversed_cents bigint default 0 not null,
  currency text not null,
  terms_version integer not null,
  rule integer not null,
  created_at timestamptz not null,
  constraint customer_credits_pkey primary key (id),
  constraint one_credit_per_customer unique (customer_id),
  constraint customer_credits_customer_id_fkey foreign key (customer_id) references customers(id),
  constraint customer_credits_program_id_fkey foreign key (program_id) references programs(id),
  constraint customer_credits_sale_id_fkey foreign key (sale_id) references sales(id) on delete cascade,
  constraint customer_credits_amount_cents_check check ((amount_cents > 0)),
  constraint reversals_never_above_the_credit check (((reversed_cents >= 0) and (reversed_cents <= amount_cents)))
);
create index customer_credits_by_sale on customer_credits (sale_id) where (sale_id is not null);

-- Page, referrer, device, country, campaign and sub-id of the visit behind a customer’s results, and the month of their first sale.
create table customer_facets (
  customer_id bigint not null,
  program_id bigint not null,
  landing_page text not null,
  referrer text not null,
  device text not null,
  country text not null,
  utm_source text not null,
  utm_medium text not null,
  utm_campaign text not null,
  sub text default '' not null,
  cohort text,
  constraint customer_facets_pkey primary key (customer_id)
);

-- One row per visitor who clicked or signed up, and what they became.
create table customers (
  id bigint generated by default as identity not null,
  program_id bigint not null,
  link_id bigint,
  partner_id bigint,
  membership_id bigint,
  clicked_at timestamptz,
  customer_key text collate "C",
  status text default 'click' not null,
  lead_at timestamptz,
  lead_state text,
  claimed_customer_key text collate "C",
  email_hash text collate "C",
  email_masked text,
  converted_at timestamptz,
  is_test boolean default false not null,
  created_at timestamptz not null,
  lead_source text,
  email_source text,
  email_identity_hash text collate "C",
  erased_at timestamptz,
  assigned_at timestamptz,
  sub text,
  first_seen_at timestamptz,
  imported_at timestamptz,
  credited_click_at timestamptz,
  constraint customers_pkey primary key (id),
  constraint customers_check check (((lead_at is null) = (lead_state is null))),
  constraint customers_email_source_check check ((email_source = any (array['page', 'server']))),
  constraint customers_lead_source_check check ((lead_source = any (array['page', 'server']))),
  constraint customers_lead_state_check check ((lead_state = any (array['provisional', 'settled']))),
  constraint customers_status_check check ((status = any (array['click', 'lead', 'conversion'])))
);
create index customers_by_claim on customers (program_id, claimed_customer_key) where ((lead_state = 'provisional') and (claimed_customer_key is not null));
create index customers_by_conversion on customers (program_id, converted_at, id) where (converted_at is not null);
create index customers_by_email on customers (program_id, email_hash) where (email_hash is not null);
create unique index customers_by_key on customers (program_id, customer_key, is_test) where (customer_key is not null);
create index customers_by_lead on customers (program_id, lead_at, id) where (lead_at is not null);
create index customers_by_partner on customers (partner_id, created_at, id) where (partner_id is not null);
create index customers_by_program on customers (program_id, created_at, id);
create index customers_by_status on customers (program_id, status, created_at, id) where (status <> 'click');
create unique index customers_claiming_without_click on customers (program_id, claimed_customer_key, is_test) where ((lead_state = 'provisional') and (clicked_at is null));
create index customers_of_tests on customers (program_id) where is_test;
create trigger count_before after update on customers referencing old table as changed for each statement execute function count_customers('-1');
create trigger count_gone after delete on customers referencing old table as changed for each statement execute function count_customers('-1');
create trigger count_new after insert on customers referencing new table as changed for each statement execute function count_customers('1');
create trigger count_now after update on customers referencing new table as changed for each statement execute function count_customers('1');
create trigger keep_attribution after update of assigned_at on customers for each row when ((new.assigned_at is distinct from old.assigned_at)) execute function keep_attribution();

-- One row per attempt at a lead, sale or refund: what was decided, why, and on which facts.
create table decisions (
  id bigint generated by default as identity not null,
  program_id bigint not null,
  kind text not null,
  outcome text not null,
  reason text not null,
  facts jsonb not null,
  source text not null,
  customer_id bigint,
  partner_id bigint,
  sale_id bigint,
  transaction_id text collate "C",
  customer_key text collate "C",
  click_id text collate "C",
  additional_data jsonb,
  request_id text,
  is_test boolean default false not null,
  created_at timestamptz not null,
  constraint decisions_pkey primary key (id),
  constraint decisions_kind_check check ((kind = any (array['lead', 'sale', 'refund', 'commission', 'assignment']))) not valid,
  constraint decisions_outcome_check check ((outcome = any (array['recorded', 'unchanged', 'not_attributed', 'refused', 'failed'])))
);
create index decisions_by_click on decisions (program_id, click_id) where (click_id is not null);
create index decisions_by_customer on decisions (customer_id) where (customer_id is not null);
create index decisions_by_customer_key on decisions (program_id, customer_key) where (customer_key is not null);
create index decisions_by_partner on decisions (partner_id, created_at, kind, id) where (partner_id is not null);
create index decisions_by_program on decisions (program_id, created_at, kind, id);
create index decisions_by_transaction on decisions (program_id, transaction_id) where (transaction_id is not null);
create index decisions_not_recorded on decisions (program_id, created_at, kind, id) where (outcome <> 'recorded');
create index decisions_of_tests on decisions (program_id, kind, created_at) where (is_test and (outcome = 'recorded') and (source <> 'synthetic'));
create index decisions_refused on decisions (program_id, created_at) where (outcome = any (array['refused', 'not_attributed']));
create index decisions_short_lived on decisions (created_at) where (outcome = any (array['refused', 'unchanged']));
create index decisions_that_settle_claims on decisions (customer_id) where ((reason = 'lead_settled_by_payment') and (customer_key is null));

-- Weeks whose digests are queued.
create table digest_weeks (
  week date not null,
  constraint digest_weeks_pkey primary key (week)
);

-- Packages and scripts of this and earlier releases, so that lockfiles stay valid.
create table downloads (
  path text collate "C" not null,
  media_type text not null,
  content_base64 text not null,
  created_at timestamptz not null,
  constraint downloads_pkey primary key (path)
);

-- Who was erased, by id and time, so that it can be repeated after a restore. Rows are only added.
create table erasures (
  id bigint generated always as identity not null,
  subject text not null,
  program_id bigint,
  subject_id text not null,
  subject_created_at timestamptz not null,
  erased_at timestamptz not null,
  constraint erasures_pkey primary key (id),
  constraint one_erasure_per_subject unique nulls not distinct (subject, program_id, subject_id, subject_created_at),
  constraint erasures_check check (((subject = 'customer') = (program_id is not null))),
  constraint erasures_subject_check check ((subject = any (array['customer', 'account'])))
);
create trigger erasures_are_append_only before delete or update on erasures for each statement execute function refuse_erasure_change();

-- Days whose counts by facet have to be computed again.
create table facet_days_due (
  program_id bigint not null,
  day date not null,
  constraint facet_days_due_pkey primary key (program_id, day)
);

-- Days whose counts by facet are being computed, piece by piece.
create table facet_days_in_progress (
  program_id bigint not null,
  day date not null,
  attempt uuid not null,
  constraint facet_days_in_progress_pkey primary key (program_id, day)
);

-- Until when the clicks of a program are counted by facet.
create table facets_rolled_up (
  program_id bigint not null,
  clicks_until timestamptz not null,
  compared_until date not null,
  constraint facets_rolled_up_pkey primary key (program_id)
);

-- What programs are told has become true, numbered, each as the bytes that are sent.
create table feed_events (
  program_id bigint not null,
  sequence bigint not null,
  event_id uuid not null,
  type text not null,
  subject text not null,
  facts json,
  gone json,
  more json,
  decision_id bigint,
  reason text,
  customer_id bigint,
  partner_id bigint,
  created_at timestamptz not null,
  constraint feed_events_pkey primary key (program_id, sequence)
);
create index feed_events_of_customers on feed_events (customer_id) where (customer_id is not null);

-- The number of the newest event of a program.
create table feed_sequences (
  program_id bigint not null,
  last_sequence bigint not null,
  constraint feed_sequences_pkey primary key (program_id),
  constraint feed_sequences_program_id_fkey foreign key (program_id) references programs(id),
  constraint feed_sequences_last_sequence_check check ((last_sequence >= 0))
);

-- Answers to requests with an Idempotency-Key, encrypted, kept to be repeated.
create table idempotency_keys (
  id bigint generated always as identity not null,
  scope text collate "C" not null,
  claim uuid not null,
  body_hash text collate "C" not null,
  program_id bigint,
  user_id text,
  status smallint,
  answer_sealed text,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (id),
  constraint idempotency_keys_scope_key unique (scope),
  constraint idempotency_keys_check check (((status is null) = (answer_sealed is null)))
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_accounts on idempotency_keys (user_id) where (user_id is not null);
create index idempotency_keys_of_programs on idempotency_keys (program_id) where (program_id is not null);

-- How much of each kind an import has created, merged and removed.
create table import_counts (
  import_id bigint not null,
  kind text not null,
  created integer default 0 not null,
  merged integer default 0 not null,
  removed integer default 0 not null,
  constraint import_counts_pkey primary key (import_id, kind),
  constraint import_counts_import_id_fkey foreign key (import_id) references imports(id),
  constraint import_counts_kind_check check ((kind = any (array['partner', 'link', 'coupon', 'customer', 'balance'])))
);

-- What belongs to an import: what it created, what was there before, and why undoing kept it.
create table import_items (
  import_id bigint not null,
  kind text not null,
  item_id bigint not null,
  is_new boolean not null,
  external_id text,
  had_account boolean default false not null,
  parameter text,
  assigned_at timestamptz,
  kept text,
  constraint import_items_pkey primary key (import_id, kind, item_id),
  constraint import_items_import_id_fkey foreign key (import_id) references imports(id),
  constraint import_items_kind_check check ((kind = any (array['partner', 'link', 'coupon', 'customer', 'balance'])))
);
create index import_items_by_external_id on import_items (import_id, external_id) where (external_id is not null);
create index import_items_by_item on import_items (kind, item_id);
create index import_items_to_undo on import_items (import_id, kind, item_id) where (kept is null);

-- Rows of another tool that were taken over, by source.
create table imports (
  id bigint generated always as identity not null,
  program_id bigint not null,
  source text not null,
  status text default 'open' not null,
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  undone_at timestamptz,
  constraint imports_pkey primary key (id),
  constraint imports_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  constraint imports_program_id_fkey foreign key (program_id) references programs(id),
  constraint imports_status_check check ((status = any (array['open', 'undoing', 'undone']))),
  constraint undone_at_a_time check (((status = 'undone') = (undone_at is not null)))
);
create index imports_by_program on imports (program_id, id);
create index imports_of_users on imports (created_by) where (created_by is not null);
create unique index one_import_per_source on imports (program_id, source) where (status <> 'undone');

-- People who were asked to join a workspace or to become a partner.
create table invitations (
  id bigint generated always as identity not null,
  advertiser_id bigint not null,
  partner_id bigint,
  role text not null,
  email text not null,
  token_hash text collate "C" not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  created_at timestamptz not null,
  invited_by text,
  open_link boolean default false not null,
  replaces_account boolean default false not null,
  constraint invitations_pkey primary key (id),
  constraint invitations_token_hash_key unique (token_hash),
  constraint invitations_advertiser_id_fkey foreign key (advertiser_id) references advertisers(id),
  constraint invitations_partner_id_fkey foreign key (partner_id) references partners(id) on delete cascade,
  constraint invitations_check check (((role = 'partner') = (partner_id is not null))),
  constraint invitations_role_check check ((role = any (array['owner', 'member', 'finance', 'viewer', 'partner'])))
);
create index invitations_by_advertiser on invitations (advertiser_id, id);
create index invitations_by_expiry on invitations (expires_at);
create index invitations_by_inviter on invitations (invited_by) where (accepted_at is null);
create index invitations_by_partner on invitations (partner_id);

-- How many bytes of such answers a day has, for each program or account.
create table kept_answer_days (
  owner text collate "C" not null,
  day date not null,
  bytes bigint not null,
  constraint kept_answer_days_pkey primary key (owner, day),
  constraint kept_answer_days_bytes_check check ((bytes >= 0))
);

-- Where a user has signed in from before, as a hash.
create table known_devices (
  user_id text not null,
  device_hash text collate "C" not null,
  last_seen_at timestamptz not null,
  constraint known_devices_pkey primary key (user_id, device_hash),
  constraint known_devices_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index known_devices_by_time on known_devices (last_seen_at);

-- Codes that lead to a link of a program on its own sites, because another program has them as short links.
create table link_aliases (
  program_id bigint not null,
  code text collate "C" not null,
  link_id bigint not null,
  created_at timestamptz not null,
  constraint one_link_per_alias primary key (program_id, code),
  constraint link_aliases_link_id_fkey foreign key (link_id) references links(id) on delete cascade,
  constraint link_aliases_program_id_fkey foreign key (program_id) references programs(id)
);
create index link_aliases_by_code on link_aliases (code, program_id);
create index link_aliases_of_links on link_aliases (link_id);
create trigger announce after insert or delete or update on link_aliases for each row execute function announce_change('link', 'code');

-- Hosts of brands’ own that their short links work on, or are to.
create table link_domains (
  id bigint generated always as identity not null,
  program_id bigint not null,
  host text collate "C" not null,
  status text default 'pending' not null,
  created_at timestamptz not null,
  constraint link_domains_pkey primary key (id),
  constraint one_row_per_program_and_host unique (program_id, host),
  constraint link_domains_program_id_fkey foreign key (program_id) references programs(id),
  constraint link_domains_status_check check ((status = any (array['pending', 'active'])))
);
create unique index link_domains_active on link_domains (host) where (status = 'active');
create trigger announce after insert or delete or update on link_domains for each row execute function announce_change('host', 'host');

-- Clicks and results of a link, up to migration 0040. For nodes of 0.2.0, until 0.4.0.
create table link_totals (
  program_id bigint not null,
  partner_id bigint,
  link_id bigint,
  currency text,
  clicks bigint default 0 not null,
  leads bigint default 0 not null,
  sales bigint default 0 not null,
  revenue_cents numeric default 0 not null,
  commission_cents numeric default 0 not null,
  constraint link_totals_program_id_partner_id_link_id_currency_key unique nulls not distinct (program_id, partner_id, link_id, currency)
);

-- Partners’ links: the value of `aff`, and where it leads.
create table links (
  id bigint generated always as identity not null,
  short_link text collate "C" not null,
  program_id bigint,
  partner_id bigint,
  destination_url text,
  active boolean default true not null,
  is_test boolean default false not null,
  created_at timestamptz default now() not null,
  label text,
  deleted_at timestamptz,
  is_first boolean default false not null,
  constraint links_pkey primary key (id),
  constraint links_short_link_key unique (short_link),
  constraint links_partner_id_fkey foreign key (partner_id) references partners(id) on delete set null,
  constraint links_program_id_fkey foreign key (program_id) references programs(id) on delete set null
);
create index links_by_name on links (program_id, lower(short_link));
create index links_by_partner on links (partner_id);
create index links_by_program on links (program_id, id);
create unique index links_first on links (program_id, partner_id) where is_first;
create trigger announce after insert or delete or update on links for each row execute function announce_change('link', 'short_link');
create trigger announce_aliases after update on links for each row execute function announce_aliases();

-- How many mails of a kind an address, as a hash, or a workspace has had lately.
create table mail_counts (
  counted text collate "C" not null,
  kind text collate "C" not null,
  since timestamptz not null,
  count integer not null,
  constraint mail_counts_pkey primary key (counted, kind, since)
);
create index mail_counts_by_time on mail_counts (since);

-- Kinds of mail that a person has switched off.
create table mail_preferences (
  user_id text not null,
  kind text not null,
  changed_at timestamptz not null,
  constraint mail_preferences_pkey primary key (user_id, kind),
  constraint mail_preferences_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create trigger rename_paid_mail before insert on mail_preferences for each row when ((new.kind = 'payout_paid')) execute function rename_paid_mail();

-- The queue of mail. Contents are encrypted, and deleted once a message is finished.
create table mails (
  id bigint generated always as identity not null,
  kind text not null,
  cause text collate "C" not null,
  user_id text,
  address text,
  program_id bigint,
  advertiser_id bigint,
  content_sealed text,
  message_key uuid default gen_random_uuid() not null,
  priority smallint not null,
  state text default 'waiting' not null,
  attempts integer default 0 not null,
  due_at timestamptz not null,
  claimed_at timestamptz,
  expires_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint mails_pkey primary key (id),
  constraint mails_state_check check ((state = any (array['waiting', 'sent', 'failed', 'skipped'])))
);
create unique index mails_by_cause on mails (kind, cause);
create index mails_due on mails (priority, due_at) where (state = 'waiting');
create index mails_finished on mails (finished_at) where (state <> 'waiting');
create index mails_of_workspaces on mails (advertiser_id, created_at) where (advertiser_id is not null);
create trigger mails_announced after insert on mails for each statement execute function announce_mail();
create trigger rename_paid_mail before insert on mails for each row when ((new.kind = 'payout_paid')) execute function rename_paid_mail();

-- Which partner is in which program, with their status, answers, group, recruiter and the brand’s own id of them.
create table memberships (
  id bigint generated always as identity not null,
  program_id bigint not null,
  partner_id bigint not null,
  status text default 'active' not null,
  created_at timestamptz default now() not null,
  answers jsonb default '[]'::jsonb not null,
  group_id bigint,
  group_by text default 'tier' not null,
  recruiter_id bigint,
  external_id text collate "C",
  ended_by_import_id bigint,
  constraint memberships_pkey primary key (id),
  constraint memberships_program_id_partner_id_key unique (program_id, partner_id),
  constraint memberships_ended_by_import_id_fkey foreign key (ended_by_import_id) references imports(id),
  constraint memberships_group_id_fkey foreign key (group_id) references partner_groups(id),
  constraint memberships_partner_id_fkey foreign key (partner_id) references partners(id) on delete cascade,
  constraint memberships_program_id_fkey foreign key (program_id) references programs(id),
  constraint memberships_recruiter_id_fkey foreign key (recruiter_id) references partners(id) on delete set null,
  constraint memberships_group_by_check check ((group_by = any (array['tier', 'hand']))),
  constraint memberships_status_check check ((status = any (array['applied', 'active', 'blocked', 'removed'])))
);
create index memberships_by_ending_import on memberships (ended_by_import_id) where (ended_by_import_id is not null);
create unique index memberships_by_external_id on memberships (program_id, external_id) where (external_id is not null);
create index memberships_by_group on memberships (group_id) where (group_id is not null);
create index memberships_by_partner on memberships (partner_id);
create index memberships_by_recruiter on memberships (recruiter_id) where (recruiter_id is not null);
create trigger announce after insert or delete or update on memberships for each row execute function announce_change('program', 'program_id');
create trigger forget_ending_import before update of status on memberships for each row when ((old.ended_by_import_id is not null)) execute function forget_ending_import();
create trigger keep_booked_members after delete on memberships for each row execute function keep_booked_members();
create trigger keep_moved_members after update of program_id, partner_id on memberships for each row when (((new.program_id is distinct from old.program_id) or (new.partner_id is distinct from old.partner_id))) execute function keep_booked_members();

-- Codes that applications exchange for a token, once, after their user has agreed.
create table oauth_codes (
  code_hash text collate "C" not null,
  user_id text not null,
  client_hash text collate "C" not null,
  redirect_uri text not null,
  code_challenge text collate "C" not null,
  client_name text not null,
  client_address text not null,
  audience text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  token_id bigint,
  constraint oauth_codes_pkey primary key (code_hash)
);
create index oauth_codes_by_expiry on oauth_codes (expires_at);
create index oauth_codes_by_user on oauth_codes (user_id);

-- What another tool owed and had paid to an imported partner, by currency.
create table opening_balances (
  id bigint generated always as identity not null,
  import_id bigint not null,
  program_id bigint not null,
  partner_id bigint not null,
  currency text not null,
  pending_cents bigint not null,
  approved_cents bigint not null,
  paid_cents bigint not null,
  commission_id bigint,
  created_at timestamptz not null,
  constraint opening_balances_pkey primary key (id),
  constraint one_opening_balance unique (import_id, partner_id, currency),
  constraint opening_balances_commission_id_fkey foreign key (commission_id) references commissions(id) on delete set null,
  constraint opening_balances_import_id_fkey foreign key (import_id) references imports(id),
  constraint opening_balances_partner_id_fkey foreign key (partner_id) references partners(id),
  constraint opening_balances_program_id_fkey foreign key (program_id) references programs(id),
  constraint opening_balances_approved_cents_check check ((approved_cents >= 0)),
  constraint opening_balances_paid_cents_check check ((paid_cents >= 0)),
  constraint opening_balances_pending_cents_check check ((pending_cents >= 0))
);
create unique index one_payable_opening_balance on opening_balances (program_id, partner_id, currency) where (commission_id is not null);
create index opening_balances_by_commission on opening_balances (commission_id) where (commission_id is not null);
create index opening_balances_of_partners on opening_balances (partner_id, program_id, id);

-- Events that were written with what they are about, until they are numbered.
create table outbox (
  id bigint generated always as identity not null,
  event_id uuid default gen_random_uuid() not null,
  program_id bigint not null,
  type text not null,
  subject text not null,
  facts json,
  gone json,
  more json,
  decision_id bigint,
  customer_id bigint,
  partner_id bigint,
  created_at timestamptz not null,
  constraint outbox_pkey primary key (id),
  constraint a_row_is_read_or_gone check (((facts is null) = (gone is not null)))
);

-- Groups of partners with terms of their own, and the tiers that lead to them.
create table partner_groups (
  id bigint generated by default as identity not null,
  program_id bigint not null,
  name text not null,
  is_default boolean default false not null,
  tier_of text,
  tier_in text,
  tier_at_least bigint,
  created_at timestamptz not null,
  constraint partner_groups_pkey primary key (id),
  constraint partner_groups_program_id_fkey foreign key (program_id) references programs(id),
  constraint partner_groups_check check ((num_nulls(tier_of, tier_in, tier_at_least) = any (array[0, 3]))),
  constraint partner_groups_check1 check ((not (is_default and (tier_of is not null)))),
  constraint partner_groups_tier_at_least_check check ((tier_at_least > 0)),
  constraint partner_groups_tier_in_check check ((tier_in = any (array['month', 'lifetime']))),
  constraint partner_groups_tier_of_check check ((tier_of = any (array['revenue', 'sales'])))
);
create unique index one_default_group on partner_groups (program_id) where is_default;
create unique index one_group_per_threshold on partner_groups (program_id, tier_at_least) where (tier_at_least is not null);
create unique index partner_groups_by_name on partner_groups (program_id, lower(name));

-- What became of a message for each partner.
create table partner_message_rows (
  message_id bigint not null,
  partner_id bigint not null,
  outcome text not null,
  constraint partner_message_rows_pkey primary key (message_id, partner_id),
  constraint partner_message_rows_message_id_fkey foreign key (message_id) references partner_messages(id) on delete cascade,
  constraint partner_message_rows_partner_id_fkey foreign key (partner_id) references partners(id) on delete cascade
);
create index partner_message_rows_of_partners on partner_message_rows (partner_id);

-- Messages of a brand to its partners.
create table partner_messages (
  id bigint generated always as identity not null,
  program_id bigint not null,
  subject text not null,
  text text not null,
  total integer not null,
  sent_by text,
  created_at timestamptz not null,
  constraint partner_messages_pkey primary key (id),
  constraint partner_messages_program_id_fkey foreign key (program_id) references programs(id),
  constraint partner_messages_sent_by_fkey foreign key (sent_by) references users(id) on delete set null,
  constraint partner_messages_total_check check ((total >= 0))
);
create index partner_messages_by_program on partner_messages (program_id, id);
create index partner_messages_of_users on partner_messages (sent_by) where (sent_by is not null);

-- Notes of the brand’s team about a partner.
create table partner_notes (
  id bigint generated always as identity not null,
  program_id bigint not null,
  partner_id bigint not null,
  text text not null,
  user_id text,
  created_at timestamptz not null,
  constraint partner_notes_pkey primary key (id),
  constraint partner_notes_partner_id_fkey foreign key (partner_id) references partners(id) on delete cascade,
  constraint partner_notes_program_id_fkey foreign key (program_id) references programs(id)
);
create index partner_notes_by_partner on partner_notes (program_id, partner_id, id);

-- In which group a partner was, and by whom recruited, since when.
create table partner_placements (
  id bigint generated always as identity not null,
  program_id bigint not null,
  partner_id bigint not null,
  since timestamptz not null,
  group_id bigint,
  recruiter_id bigint,
  tier_day date,
  tier_counted bigint,
  constraint partner_placements_pkey primary key (id),
  constraint partner_placements_partner_id_fkey foreign key (partner_id) references partners(id) on delete cascade,
  constraint partner_placements_program_id_fkey foreign key (program_id) references programs(id)
);
create index partner_placements_by_partner on partner_placements (program_id, partner_id, since desc, id desc);

-- Questions that partners asked through the portal, counted against a limit.
create table partner_questions (
  program_id bigint not null,
  partner_id bigint not null,
  day date not null,
  asked integer not null,
  constraint partner_questions_pkey primary key (program_id, partner_id)
);

-- People and companies who share links, each known to one workspace.
create table partners (
  id bigint generated always as identity not null,
  advertiser_id bigint not null,
  name text not null,
  email text not null,
  is_test boolean default false not null,
  created_at timestamptz default now() not null,
  user_id text,
  joined_itself boolean default false not null,
  account_changed_at timestamptz,
  previous_user_id text,
  constraint partners_pkey primary key (id),
  constraint partners_advertiser_id_fkey foreign key (advertiser_id) references advertisers(id),
  constraint partners_user_id_fkey foreign key (user_id) references users(id) on delete set null
);
create unique index partners_by_email on partners (advertiser_id, lower(email));
create index partners_by_previous_user on partners (previous_user_id) where (previous_user_id is not null);
create unique index partners_by_user on partners (advertiser_id, user_id) where (user_id is not null);

-- Public keys that accounts sign in with.
create table passkeys (
  id text not null,
  user_id text not null,
  name text,
  public_key text not null,
  credential_id text collate "C" not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz,
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index passkeys_by_user on passkeys (user_id);
create trigger passkeys_changed after insert or delete on passkeys for each row execute function note_second_factor_change();

-- Files for banks and payment services, made when a run is approved.
create table payout_files (
  id bigint generated always as identity not null,
  run_id bigint not null,
  name text not null,
  currency text,
  part integer not null,
  bytes_sealed text not null,
  sha256 text not null,
  row_count integer not null,
  amount_cents numeric,
  created_at timestamptz not null,
  constraint payout_files_pkey primary key (id),
  constraint payout_files_are_made_once unique nulls not distinct (run_id, name, currency, part),
  constraint payout_files_run_id_fkey foreign key (run_id) references payout_runs(id) on delete cascade,
  constraint payout_files_name_check check ((name = any (array['paypal.csv', 'wise.csv', 'sepa.xml', 'nacha.txt', 'payouts.csv']))),
  constraint payout_files_part_check check ((part > 0))
);

-- Which commission is in which payout, and with how much.
create table payout_lines (
  payout_id bigint not null,
  commission_id bigint not null,
  amount_cents bigint not null,
  constraint payout_lines_pkey primary key (payout_id, commission_id),
  constraint payout_lines_commission_id_fkey foreign key (commission_id) references commissions(id),
  constraint payout_lines_payout_id_fkey foreign key (payout_id) references payouts(id),
  constraint payout_lines_amount_cents_check check ((amount_cents <> 0))
);
create index payout_lines_by_commission on payout_lines (commission_id);

-- Changed payout methods that a program pays to before their wait is over.
create table payout_method_lifts (
  program_id bigint not null,
  method_id bigint not null,
  reason text not null,
  lifted_by text,
  created_at timestamptz not null,
  constraint payout_method_lifts_pkey primary key (program_id, method_id),
  constraint payout_method_lifts_lifted_by_fkey foreign key (lifted_by) references users(id) on delete set null,
  constraint payout_method_lifts_method_id_fkey foreign key (method_id) references payout_methods(id) on delete cascade,
  constraint payout_method_lifts_program_id_fkey foreign key (program_id) references programs(id)
);
create index payout_method_lifts_of_methods on payout_method_lifts (method_id);
create index payout_method_lifts_of_users on payout_method_lifts (lifted_by) where (lifted_by is not null);

-- Where accounts want to be paid.
create table payout_methods (
  id bigint generated always as identity not null,
  user_id text not null,
  kind text not null,
  details_sealed text,
  masked text not null,
  holder_name text not null,
  holder_kind text not null,
  country text,
  usable_from timestamptz not null,
  created_at timestamptz not null,
  replaced_at timestamptz,
  constraint payout_methods_pkey primary key (id),
  constraint payout_methods_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint methods_have_a_country check (((country is not null) or (kind = 'other'))),
  constraint methods_in_use_have_details check (((details_sealed is not null) or (replaced_at is not null))),
  constraint payout_methods_country_check check ((country ~ '^[A-Z]{2}$')),
  constraint payout_methods_holder_kind_check check ((holder_kind = any (array['person', 'company']))),
  constraint payout_methods_kind_check check ((kind = any (array['paypal', 'wise', 'iban', 'us_bank', 'other'])))
);
create unique index one_payout_method_per_account on payout_methods (user_id) where (replaced_at is null);
create index payout_methods_of_users on payout_methods (user_id, id);

-- Who was left out of a payout run, and why.
create table payout_run_omissions (
  run_id bigint not null,
  partner_id bigint not null,
  currency text not null,
  amount_cents numeric not null,
  reason text not null,
  note text,
  constraint payout_run_omissions_pkey primary key (run_id, partner_id, currency),
  constraint payout_run_omissions_partner_id_fkey foreign key (partner_id) references partners(id),
  constraint payout_run_omissions_run_id_fkey foreign key (run_id) references payout_runs(id) on delete cascade,
  constraint payout_run_omissions_reason_check check ((reason = any (array['below_minimum', 'no_method', 'method_held', 'currency_not_payable', 'country_not_payable', 'tax_form_missing', 'negative_balance', 'excluded'])))
);
create index payout_run_omissions_of_partners on payout_run_omissions (partner_id);

-- Payouts that are made, approved, sent and settled together.
create table payout_runs (
  id bigint generated always as identity not null,
  program_id bigint not null,
  number integer not null,
  status text default 'draft' not null,
  cutoff_at timestamptz not null,
  two_persons boolean not null,
  request jsonb not null,
  made_by text,
  approved_by text,
  created_at timestamptz not null,
  approved_at timestamptz,
  sent_at timestamptz,
  settled_at timestamptz,
  cancelled_at timestamptz,
  prepared_at timestamptz default now(),
  preparation jsonb,
  constraint payout_runs_pkey primary key (id),
  constraint payout_runs_are_numbered unique (program_id, number),
  constraint payout_runs_approved_by_fkey foreign key (approved_by) references users(id) on delete set null,
  constraint payout_runs_made_by_fkey foreign key (made_by) references users(id) on delete set null,
  constraint payout_runs_program_id_fkey foreign key (program_id) references programs(id),
  constraint payout_runs_number_check check ((number > 0)),
  constraint payout_runs_status_check check ((status = any (array['draft', 'approved', 'sent', 'settled', 'cancelled']))),
  constraint runs_are_prepared_first check (((prepared_at is not null) or ((status = 'draft') and (preparation is not null))))
);
create unique index payout_runs_in_preparation on payout_runs (program_id) where (prepared_at is null);
create index payout_runs_of_approvers on payout_runs (approved_by) where (approved_by is not null);
create index payout_runs_of_users on payout_runs (made_by) where (made_by is not null);

-- How a program pays: minimums, schedule, approval, payer.
create table payout_settings (
  program_id bigint not null,
  minimum_cents jsonb default '{}'::jsonb not null,
  schedule_day integer,
  net_days integer default 0 not null,
  two_persons boolean default false not null,
  payer_sealed text,
  next_run_at timestamptz,
  updated_at timestamptz,
  constraint payout_settings_pkey primary key (program_id),
  constraint payout_settings_program_id_fkey foreign key (program_id) references programs(id),
  constraint payout_settings_net_days_check check (((net_days >= 0) and (net_days <= 90))),
  constraint payout_settings_schedule_day_check check (((schedule_day >= 1) and (schedule_day <= 28))),
  constraint scheduled_runs_are_due check (((schedule_day is null) = (next_run_at is null)))
);
create index payout_settings_due on payout_settings (next_run_at) where (next_run_at is not null);

-- What a partner was paid, or is about to be, in one currency.
create table payouts (
  id bigint generated always as identity not null,
  program_id bigint not null,
  partner_id bigint not null,
  currency text not null,
  amount_cents bigint not null,
  status text default 'open' not null,
  reference text,
  created_at timestamptz not null,
  paid_at timestamptz,
  cancelled_at timestamptz,
  failed_at timestamptz,
  failure_reason text,
  run_id bigint,
  method_id bigint,
  method_kind text,
  method_masked text,
  end_to_end_id text,
  not_in_file text,
  sent_at timestamptz,
  returned_at timestamptz,
  failure_code text,
  constraint payouts_pkey primary key (id),
  constraint payouts_are_of_members foreign key (program_id, partner_id) references memberships(program_id, partner_id) not valid,
  constraint payouts_method_id_fkey foreign key (method_id) references payout_methods(id) on delete set null,
  constraint payouts_run_id_fkey foreign key (run_id) references payout_runs(id),
  constraint payouts_amount_cents_check check (((amount_cents >= 1) and (amount_cents <= '9007199254740991'::bigint))),
  constraint payouts_check1 check (((status = 'cancelled') = (cancelled_at is not null))),
  constraint payouts_failed_at_check check ((((status = 'failed') = (failed_at is not null)) and ((status = 'returned') = (returned_at is not null)) and ((status = any (array['failed', 'returned'])) = (failure_reason is not null)))) not valid,
  constraint payouts_paid_at_check check (
    case status
        when 'paid' then (paid_at is not null)
        when 'failed' then true
        when 'returned' then true
        else (paid_at is null)
    end) not valid,
  constraint payouts_status_check check ((status = any (array['open', 'sent', 'paid', 'failed', 'returned', 'cancelled']))) not valid
);
create index payouts_by_partner on payouts (partner_id, id);
create index payouts_by_program on payouts (program_id, id);
create index payouts_by_time on payouts (program_id, created_at, id);
create unique index payouts_have_one_end_to_end_id on payouts (end_to_end_id) where (end_to_end_id is not null);
create index payouts_of_methods on payouts (method_id) where (method_id is not null);
create index payouts_of_runs on payouts (run_id, id) where (run_id is not null);

-- What was reported to a partner’s postback, or is to be, and how it went.
create table postback_calls (
  id bigint generated always as identity not null,
  postback_id bigint not null,
  event text not null,
  facts jsonb not null,
  customer_id bigint,
  status text default 'pending' not null,
  attempts integer default 0 not null,
  due_at timestamptz,
  called_method text,
  called_url text,
  last_attempt_at timestamptz,
  last_status integer,
  last_error text,
  created_at timestamptz not null,
  constraint postback_calls_pkey primary key (id),
  constraint postback_calls_postback_id_fkey foreign key (postback_id) references postbacks(id) on delete cascade,
  constraint pending_ones_are_due check (((status = 'pending') = (due_at is not null))),
  constraint postback_calls_status_check check ((status = any (array['pending', 'delivered', 'failed'])))
);
create index postback_calls_due on postback_calls (postback_id, due_at) where (status = 'pending');
create index postback_calls_of_customers on postback_calls (customer_id) where (customer_id is not null);
create index postback_calls_of_postbacks on postback_calls (postback_id, id);

-- URLs that partners have called about their own commissions.
create table postbacks (
  id bigint generated always as identity not null,
  program_id bigint not null,
  partner_id bigint not null,
  user_id text not null,
  method text not null,
  url text not null,
  host text not null,
  status text default 'active' not null,
  disabled_reason text,
  failing_since timestamptz,
  last_failed_at timestamptz,
  failing_ms bigint default 0 not null,
  created_at timestamptz not null,
  constraint postbacks_pkey primary key (id),
  constraint one_postback_per_partner unique (program_id, partner_id),
  constraint postbacks_partner_id_fkey foreign key (partner_id) references partners(id) on delete cascade,
  constraint postbacks_program_id_fkey foreign key (program_id) references programs(id),
  constraint postbacks_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint disabled_for_a_reason check (((status = 'disabled') = (disabled_reason is not null))),
  constraint postbacks_disabled_reason_check check ((disabled_reason = any (array['person', 'gone', 'failing']))),
  constraint postbacks_method_check check ((method = any (array['GET', 'POST']))),
  constraint postbacks_status_check check ((status = any (array['active', 'disabled'])))
);
create index postbacks_of_hosts on postbacks (host);
create index postbacks_of_partners on postbacks (partner_id);
create index postbacks_of_users on postbacks (user_id);

-- Which workspace an account at a payment processor belongs to.
create table processor_accounts (
  account_id text collate "C" not null,
  advertiser_id bigint not null,
  constraint processor_accounts_pkey primary key (account_id),
  constraint processor_accounts_advertiser_id_fkey foreign key (advertiser_id) references advertisers(id)
);
create index processor_accounts_by_advertiser on processor_accounts (advertiser_id);

-- Charges at the payment processor in their latest known state.
create table processor_charges (
  program_id bigint not null,
  charge_id text collate "C" not null,
  payment_intent text collate "C",
  invoice text collate "C",
  amount_cents bigint not null,
  refunded_cents bigint not null,
  currency text not null,
  as_of timestamptz not null,
  uncaptured_cents bigint default 0 not null,
  constraint processor_charges_pkey primary key (program_id, charge_id),
  constraint processor_charges_program_id_fkey foreign key (program_id) references programs(id)
);
create index processor_charges_by_intent on processor_charges (program_id, payment_intent);
create index processor_charges_by_invoice on processor_charges (program_id, invoice);

-- Which coupon code a processor’s promotion code, subscription or invoice stands for.
create table processor_codes (
  program_id bigint not null,
  reference text collate "C" not null,
  code text collate "C" not null,
  said_at timestamptz,
  constraint processor_codes_pkey primary key (program_id, reference),
  constraint processor_codes_program_id_fkey foreign key (program_id) references programs(id)
);

-- Payment processors that a program is connected to.
create table processor_connections (
  program_id bigint not null,
  provider text not null,
  account_id text,
  secret_encrypted text,
  connected_at timestamptz not null,
  is_sandbox boolean default false not null,
  signature_mismatches integer default 0 not null,
  last_mismatch_at timestamptz,
  late_signatures integer default 0 not null,
  last_late_at timestamptz,
  constraint processor_connections_pkey primary key (program_id, provider),
  constraint processor_connections_program_id_fkey foreign key (program_id) references programs(id)
);
create index processor_connections_by_account on processor_connections (account_id) where (account_id is not null);

-- Refunds and disputes at the payment processor in their latest known state.
create table processor_deductions (
  program_id bigint not null,
  deduction_id text collate "C" not null,
  kind text not null,
  charge_id text collate "C",
  payment_intent text collate "C",
  amount_cents bigint not null,
  currency text not null,
  state text not null,
  made_at timestamptz not null,
  state_at timestamptz not null,
  tax_cents bigint,
  constraint processor_deductions_pkey primary key (program_id, deduction_id),
  constraint processor_deductions_program_id_fkey foreign key (program_id) references programs(id),
  constraint processor_deductions_kind_check check ((kind = any (array['refund', 'dispute']))),
  constraint processor_deductions_state_check check ((state = any (array['standing', 'settled', 'undone'])))
);
create index processor_deductions_by_charge on processor_deductions (program_id, charge_id);
create index processor_deductions_by_intent on processor_deductions (program_id, payment_intent);

-- Which types of events a payment processor has sent, and when it last did. Real ones and tests apart.
create table processor_event_types (
  program_id bigint not null,
  provider text not null,
  type text collate "C" not null,
  is_live boolean not null,
  events bigint not null,
  last_at timestamptz not null,
  constraint processor_event_types_pkey primary key (program_id, provider, type, is_live),
  constraint processor_event_types_program_id_fkey foreign key (program_id) references programs(id)
);

-- The inbox of payment events. Contents are encrypted, and kept for a while.
create table processor_events (
  id bigint generated always as identity not null,
  program_id bigint not null,
  event_id text collate "C" not null,
  type text not null,
  is_live boolean not null,
  happened_at timestamptz not null,
  received_at timestamptz not null,
  payload_sealed text,
  state text default 'waiting' not null,
  outcome text,
  last_error text,
  attempts integer default 0 not null,
  due_at timestamptz,
  worked_at timestamptz,
  transaction_id text collate "C",
  customer_id bigint,
  waits_for text[],
  provider text default 'stripe' not null,
  hint text,
  constraint processor_events_pkey primary key (id),
  constraint one_event_per_id unique (program_id, provider, event_id),
  constraint processor_events_program_id_fkey foreign key (program_id) references programs(id),
  constraint processor_events_check check (((state = 'waiting') = (due_at is not null))),
  constraint processor_events_state_check check ((state = any (array['waiting', 'done', 'failed'])))
);
create index processor_events_by_customer on processor_events (customer_id) where ((customer_id is not null) and (payload_sealed is not null));
create index processor_events_by_program on processor_events (program_id, id);
create index processor_events_due on processor_events (due_at, happened_at) where (state = 'waiting');
create index processor_events_due_by_program on processor_events (program_id, due_at, id) where (state = 'waiting');
create index processor_events_failing on processor_events (program_id, id) where (outcome = 'failed');
create index processor_events_kept on processor_events (worked_at) where ((state = 'done') and (payload_sealed is not null));
create index processor_events_not_yet_customers on processor_events using gin (waits_for) with (fastupdate=off) where (outcome = 'not_a_customer_yet');
create index processor_events_outside_window on processor_events (customer_id) where (outcome = 'outside_window');
create index processor_events_unknown on processor_events using gin (waits_for) with (fastupdate=off) where (waits_for is not null);

-- Which customer a processor’s customer, subscription or payment belongs to.
create table processor_identities (
  program_id bigint not null,
  reference text collate "C" not null,
  customer_id bigint not null,
  rank integer not null,
  seen_at timestamptz not null,
  known_since timestamptz,
  constraint processor_identities_pkey primary key (program_id, reference),
  constraint processor_identities_customer_id_fkey foreign key (customer_id) references customers(id),
  constraint processor_identities_program_id_fkey foreign key (program_id) references programs(id)
);
create index processor_identities_by_customer on processor_identities (customer_id);

-- Which sale a payment or charge paid for, where that is not the sale’s own id.
create table processor_payment_links (
  program_id bigint not null,
  reference text collate "C" not null,
  transaction_id text collate "C" not null,
  amount_cents bigint,
  constraint processor_payment_links_pkey primary key (program_id, reference, transaction_id),
  constraint processor_payment_links_program_id_fkey foreign key (program_id) references programs(id),
  constraint processor_payment_links_amount_cents_check check ((amount_cents >= 0))
);
create index processor_payment_links_by_transaction on processor_payment_links (program_id, transaction_id);

-- Signing secrets of a connection, encrypted with a key that is not in the database.
create table processor_secrets (
  id bigint generated always as identity not null,
  program_id bigint not null,
  provider text not null,
  label text,
  secret_encrypted text not null,
  is_test boolean default false not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint processor_secrets_pkey primary key (id),
  constraint processor_secrets_program_id_provider_fkey foreign key (program_id, provider) references processor_connections(program_id, provider) on delete cascade
);
create index processor_secrets_by_connection on processor_secrets (program_id, provider, id);

-- When a subscription at the payment processor was first paid for, no matter who paid.
create table processor_subscriptions (
  program_id bigint not null,
  subscription_id text collate "C" not null,
  first_paid_at timestamptz not null,
  first_is_start boolean not null,
  first_transaction_id text collate "C" not null,
  constraint processor_subscriptions_pkey primary key (program_id, subscription_id),
  constraint processor_subscriptions_program_id_fkey foreign key (program_id) references programs(id)
);

-- Clicks and results of a program by day, up to migration 0040. For nodes of 0.2.0, until 0.4.0.
create table program_days (
  program_id bigint not null,
  day date not null,
  currency text,
  clicks bigint default 0 not null,
  leads integer default 0 not null,
  first_sales integer default 0 not null,
  sales integer default 0 not null,
  revenue_cents numeric default 0 not null,
  refunded_cents numeric default 0 not null,
  commission_cents numeric default 0 not null,
  constraint program_days_program_id_day_currency_key unique nulls not distinct (program_id, day, currency)
);

-- API keys of programs, as hashes: those that work and those before them.
create table program_keys (
  id bigint generated always as identity not null,
  program_id bigint not null,
  key_hash text collate "C" not null,
  key_masked text not null,
  created_at timestamptz default now() not null,
  marked_at timestamptz,
  rotate_by timestamptz,
  replaced_at timestamptz,
  is_test boolean default false not null,
  slot smallint default 1 not null,
  last_used_at timestamptz,
  constraint program_keys_pkey primary key (id),
  constraint program_keys_key_hash_key unique (key_hash),
  constraint program_keys_program_id_fkey foreign key (program_id) references programs(id),
  constraint program_keys_check check (((marked_at is null) = (rotate_by is null))),
  constraint program_keys_slot check (((slot >= 1) and (slot <= 2)))
);
create unique index program_keys_in_force on program_keys (program_id, is_test, slot) where (replaced_at is null);
create trigger announce after insert or delete or update of program_id, key_hash, marked_at, rotate_by, replaced_at on program_keys for each row execute function announce_change('key', 'key_hash');

-- Images for join pages.
create table program_logos (
  program_id bigint not null,
  name text collate "C" not null,
  media_type text not null,
  content_base64 text not null,
  created_at timestamptz not null,
  constraint program_logos_pkey primary key (program_id),
  constraint program_logos_program_id_fkey foreign key (program_id) references programs(id)
);
create index program_logos_by_name on program_logos (name);

-- What a brand offers to partners: settings, the terms in force, and the join page.
create table programs (
  id bigint generated always as identity not null,
  advertiser_id bigint not null,
  name text not null,
  domain text not null,
  commission_type text not null,
  commission_rate numeric(16,4) not null,
  currency text default 'USD' not null,
  recurring_months integer,
  cookie_window_days integer default 60 not null,
  attribution_window_days integer default 60 not null,
  hold_days integer default 30 not null,
  lead_auth text default 'browser_allowed' not null,
  allowed_origins text[] default '{}'::text[] not null,
  created_at timestamptz default now() not null,
  slug text not null,
  joining text default 'closed' not null,
  join_token text collate "C" default ('svc_join_' || replace((gen_random_uuid()), '-', '')) not null,
  commission_base text default 'gross' not null,
  terms_version integer default 1 not null,
  terms_since timestamptz default now() not null,
  terms_made_by text,
  status text default 'active' not null,
  deleted_at timestamptz,
  brand_color text,
  logo_name text,
  questions jsonb default '[]'::jsonb not null,
  agreement_version integer,
  contact_email text,
  contact_url text,
  rules jsonb default '[]'::jsonb not null,
  terms_note text,
  scheduled_terms integer default 0 not null,
  default_group_id bigint default nextval('partner_groups_id_seq'::regclass) not null,
  coupons_win boolean default false not null,
  link_parameters text[] default '{}'::text[] not null,
  attribution text default 'first' not null,
  invitation_opening text,
  welcome_opening text,
  constraint programs_pkey primary key (id),
  constraint programs_join_token_key unique (join_token),
  constraint programs_advertiser_id_fkey foreign key (advertiser_id) references advertisers(id),
  constraint programs_attribution_check check ((attribution = any (array['first', 'last']))) not valid,
  constraint programs_attribution_window_days_check check ((attribution_window_days > 0)),
  constraint programs_brand_color_check check ((brand_color ~ '^#[0-9a-f]{6}$')),
  constraint programs_commission_base_check check ((commission_base = any (array['net', 'gross']))),
  constraint programs_commission_rate_check check ((commission_rate > (0)::numeric)),
  constraint programs_commission_type_check check ((commission_type = any (array['percent', 'fixed', 'recurring_percent', 'recurring_fixed']))),
  constraint programs_cookie_window_days_check check ((cookie_window_days > 0)),
  constraint programs_currency_check check ((currency ~ '^[A-Z]{3}$')),
  constraint programs_hold_days_check check ((hold_days >= 0)),
  constraint programs_joining_check check ((joining = any (array['closed', 'on_approval', 'open']))),
  constraint programs_lead_auth_check check ((lead_auth = any (array['browser_allowed', 'server_required']))),
  constraint programs_recurring_months_check check ((recurring_months > 0)),
  constraint programs_status_check check ((status = any (array['active', 'paused', 'archived'])))
);
create index programs_by_advertiser on programs (advertiser_id);
create unique index programs_by_slug on programs (slug);
create trigger add_default_group after insert on programs for each row execute function add_default_group();
create trigger announce after insert or delete or update on programs for each row execute function announce_change('program', 'id');
create trigger announce_hosts after update of domain, deleted_at on programs for each row when (((old.domain is distinct from new.domain) or (old.deleted_at is distinct from new.deleted_at))) execute function announce_change('host', 'id');
create trigger keep_changed_terms after update on programs for each row when ((new.terms_version is distinct from old.terms_version)) execute function keep_terms();
create trigger keep_first_terms after insert on programs for each row execute function keep_terms();
create trigger number_terms before insert or update on programs for each row execute function number_terms();

-- Days on which something could not be counted, until they are counted again.
create table recounts_due (
  program_id bigint not null,
  day date not null
);

-- What was taken back from a sale, and what that took from its commissions.
create table refunds (
  id bigint generated by default as identity not null,
  sale_id bigint not null,
  program_id bigint not null,
  refund_key text collate "C",
  amount_cents bigint not null,
  deduction_cents bigint not null,
  status text not null,
  reason text,
  request_id text,
  created_at timestamptz not null,
  reported_cents bigint default 0 not null,
  source text default 'api' not null,
  constraint refunds_pkey primary key (id),
  constraint one_refund_per_key unique (sale_id, refund_key),
  constraint refunds_program_id_fkey foreign key (program_id) references programs(id),
  constraint refunds_sale_id_fkey foreign key (sale_id) references sales(id),
  constraint only_restorations_give_back check (
    case
        when (status = 'restored') then ((amount_cents < 0) and (deduction_cents <= 0) and (source = 'processor'))
        else ((amount_cents >= 0) and (deduction_cents >= 0) and ((amount_cents > 0) or (reported_cents > 0)))
    end),
  constraint refunds_reported_cents_check check ((reported_cents >= 0)),
  constraint refunds_source_check check ((source = any (array['api', 'processor']))),
  constraint refunds_status_check check ((status = any (array['reversed', 'partially_reversed', 'no_commission', 'restored'])))
);
create index refunds_by_program on refunds (program_id, id);
create constraint trigger refunds_never_above_the_sale after insert or update on refunds not deferrable initially immediate for each row execute function refuse_excess_refund();

-- Refused calls of web pages, counted by hour and origin.
create table refused_calls (
  program_id bigint not null,
  hour timestamptz not null,
  kind text not null,
  reason text not null,
  origin text not null,
  calls bigint not null,
  last_at timestamptz not null,
  constraint refused_calls_pkey primary key (program_id, hour, kind, reason, origin),
  constraint refused_calls_kind_check check ((kind = any (array['click', 'lead'])))
);
create index refused_calls_by_hour on refused_calls (hour);

-- Leads, sales and commissions by link and day, up to migration 0040. For nodes of 0.2.0, until 0.4.0.
create table result_days (
  program_id bigint not null,
  day date not null,
  partner_id bigint,
  link_id bigint,
  currency text,
  leads integer default 0 not null,
  first_sales integer default 0 not null,
  sales integer default 0 not null,
  revenue_cents numeric default 0 not null,
  refunded_cents numeric default 0 not null,
  commission_cents numeric default 0 not null,
  constraint result_days_program_id_day_partner_id_link_id_currency_key unique nulls not distinct (program_id, day, partner_id, link_id, currency)
);

-- Always empty: passes on what transactions of nodes of 0.2.0 append. Until 0.4.0.
create table result_deltas (
  program_id bigint not null,
  day date not null,
  partner_id bigint,
  link_id bigint,
  currency text,
  leads integer default 0 not null,
  first_sales integer default 0 not null,
  sales integer default 0 not null,
  revenue_cents numeric default 0 not null,
  refunded_cents numeric default 0 not null,
  commission_cents numeric default 0 not null
);
create trigger append_results before insert on result_deltas for each row execute function append_results();

-- Leads and sales of a partner by day, split by page, referrer, device, country, campaign, sub-id, coupon, new and recurring, and the month of the first sale.
create table result_facet_days (
  program_id bigint not null,
  day date not null,
  partner_id bigint not null,
  landing_page text not null,
  referrer text not null,
  device text not null,
  country text not null,
  utm_source text not null,
  utm_medium text not null,
  utm_campaign text not null,
  sub text default '[]' not null,
  coupon text,
  payment text,
  cohort text,
  constraint result_facet_days_pkey primary key (program_id, day, partner_id)
);
create index result_facet_days_program_id_partner_id_day_idx on result_facet_days (program_id, partner_id, day);
create index result_facet_days_to_count on result_facet_days (program_id, day) where (cohort is null);

-- How many results that could not be counted nodes of 0.2.0 have counted again. Until 0.4.0.
create table results_recounted (
  missed bigint not null
);

-- Months of clicks that were dropped, detached or archived, with the files that they were archived to.
create table retired_click_months (
  month text collate "C" not null,
  files jsonb,
  retired_at timestamptz not null,
  visitors_removed_at timestamptz,
  constraint retired_click_months_pkey primary key (month)
);

-- Every payment, with the terms that it was judged by.
create table sales (
  id bigint generated by default as identity not null,
  processor_event_id text collate "C" not null,
  program_id bigint not null,
  customer_id bigint,
  partner_id bigint,
  link_id bigint,
  amount_cents bigint not null,
  currency text not null,
  sale_type text not null,
  is_recurring boolean not null,
  subscription_id text,
  subscription_interval text,
  product_id text,
  line_items jsonb,
  commission_type text,
  commission_rate numeric(16,4),
  program_currency text,
  commission_state text not null,
  hold_days integer default 0 not null,
  refunded_cents bigint default 0 not null,
  is_test boolean default false not null,
  request_id text,
  created_at timestamptz not null,
  repair_attempts integer default 0 not null,
  repair_after timestamptz default '-infinity'::timestamp with time zone not null,
  hold_reason text,
  subscription_stage text,
  tax_cents bigint,
  shipping_cents bigint,
  terms_version integer,
  commission_base text,
  disputed_cents bigint default 0 not null,
  terms_facts jsonb,
  rule integer,
  coupon_code text,
  refunded_tax_only_cents bigint default 0 not null,
  constraint sales_pkey primary key (id),
  constraint sales_are_of_members foreign key (program_id, partner_id) references memberships(program_id, partner_id) not valid,
  constraint sales_customer_id_fkey foreign key (customer_id) references customers(id),
  constraint refunds_never_above_the_sale check (((refunded_cents >= 0) and (refunded_cents <= amount_cents))),
  constraint sales_amount_cents_check check ((amount_cents > 0)),
  constraint sales_check check (((customer_id is not null) or is_test)),
  constraint sales_check1 check ((not (is_test and (commission_state <> 'none')))),
  constraint sales_commission_base_check check ((commission_base = any (array['net', 'gross']))),
  constraint sales_commission_state_check check ((commission_state = any (array['created', 'none', 'owed']))),
  constraint sales_disputed_cents_check check ((disputed_cents >= 0)),
  constraint sales_hold_reason_check check ((hold_reason = any (array['self_referral', 'email_from_page', 'claimed_key']))) not valid,
  constraint sales_sale_type_check check ((sale_type = any (array['payment', 'subscription']))),
  constraint sales_shipping_cents_check check ((shipping_cents >= 0)),
  constraint sales_subscription_stage_check check ((subscription_stage = any (array['start', 'cycle', 'change']))),
  constraint sales_tax_cents_check check ((tax_cents >= 0)),
  constraint tax_and_shipping_within_the_sale check (((coalesce(tax_cents, (0)::bigint) + coalesce(shipping_cents, (0)::bigint)) <= amount_cents))
);
create index sales_by_customer on sales (customer_id);
create index sales_by_partner on sales (partner_id, created_at, id);
create index sales_by_program on sales (program_id, created_at, id);
create index sales_by_stage on sales (program_id, created_at) where (subscription_stage is not null);
create index sales_by_subscription on sales (program_id, subscription_id, created_at, id) where (subscription_id is not null);
create unique index sales_by_transaction on sales (processor_event_id, (
case
    when is_test then id
    else (0)::bigint
end));
create index sales_of_claimed_keys on sales (customer_id) where (hold_reason = 'claimed_key');
create index sales_owing on sales (id) where (commission_state = 'owed');
create index sales_to_repair on sales (repair_after, id) where (commission_state = 'owed');
create trigger count_before after update on sales referencing old table as changed for each statement execute function count_sales('-1');
create trigger count_gone after delete on sales referencing old table as changed for each statement execute function count_sales('-1');
create trigger count_new after insert on sales referencing new table as changed for each statement execute function count_sales('1');
create trigger count_now after update on sales referencing new table as changed for each statement execute function count_sales('1');
create trigger reverse_credit after update on sales for each row when ((old.refunded_cents <> new.refunded_cents)) execute function reverse_credit();
create trigger sales_with_a_commission_stay before update on sales for each row when (((old.commission_state = 'created') and (((((old.program_id is distinct from new.program_id) or (old.partner_id is distinct from new.partner_id)) or (old.link_id is distinct from new.link_id)) or (old.created_at is distinct from new.created_at)) or (old.is_test is distinct from new.is_test)))) execute function refuse_moved_sale();

-- Filters of lists that a person saved.
create table saved_views (
  id bigint generated always as identity not null,
  program_id bigint not null,
  user_id text not null,
  list text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null,
  constraint saved_views_pkey primary key (id),
  constraint one_view_per_name unique (program_id, user_id, list, name),
  constraint saved_views_program_id_fkey foreign key (program_id) references programs(id) on delete cascade,
  constraint saved_views_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint saved_views_name_check check (((char_length(name) >= 1) and (char_length(name) <= 60))),
  constraint saved_views_query_check check ((char_length(query) <= 1000))
);
create index saved_views_by_user on saved_views (user_id);

-- Authenticator apps and recovery codes of accounts, encrypted.
create table second_factors (
  id text not null,
  user_id text not null,
  secret text not null,
  backup_codes text not null,
  verified boolean default true not null,
  failed_verification_count integer default 0 not null,
  locked_until timestamptz,
  constraint second_factors_pkey primary key (id),
  constraint second_factors_user_id_key unique (user_id),
  constraint second_factors_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create trigger second_factors_changed after insert or delete or update of verified on second_factors for each row execute function note_second_factor_change();

-- Signed-in browsers.
create table sessions (
  id text not null,
  token text not null,
  user_id text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  proved_at timestamptz default now() not null,
  last_used_at timestamptz,
  factor_proved_at timestamptz,
  constraint sessions_pkey primary key (id),
  constraint sessions_token_key unique (token),
  constraint sessions_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_user on sessions (user_id);

-- Failed sign-ins and requests for codes, counted against limits.
create table sign_in_attempts (
  id text not null,
  key text not null,
  count integer not null,
  last_request bigint not null,
  constraint sign_in_attempts_pkey primary key (id),
  constraint sign_in_attempts_key_key unique (key)
);
create index sign_in_attempts_by_time on sign_in_attempts (last_request);

-- How an account signs in: its password hash, or its id at an outside provider.
create table sign_ins (
  id text not null,
  account_id text not null,
  provider_id text not null,
  user_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint sign_ins_pkey primary key (id),
  constraint sign_ins_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create unique index sign_ins_by_issuer on sign_ins (provider_id, account_id) where (provider_id <> 'credential');
create index sign_ins_by_user on sign_ins (user_id);

-- Keys that sign the service’s id tokens.
create table signing_keys (
  id text not null,
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  alg text,
  crv text,
  constraint signing_keys_pkey primary key (id)
);

-- What a program paid and when: every version of its terms. Only their notes may change.
create table terms_versions (
  program_id bigint not null,
  version integer not null,
  effective_from timestamptz not null,
  commission_type text not null,
  commission_rate numeric(16,4) not null,
  currency text not null,
  recurring_months integer,
  hold_days integer not null,
  commission_base text not null,
  made_by text,
  rules jsonb default '[]'::jsonb not null,
  note text,
  attribution text default 'first' not null,
  constraint terms_versions_pkey primary key (program_id, version),
  constraint terms_versions_program_id_fkey foreign key (program_id) references programs(id),
  constraint terms_versions_version_check check ((version > 0))
);
create trigger terms_versions_stay before update on terms_versions for each row when (((to_jsonb(old.*) - 'note') is distinct from (to_jsonb(new.*) - 'note'))) execute function refuse_changed_terms();

-- Until which day the tiers of a program are counted.
create table tier_days (
  program_id bigint not null,
  day date not null,
  constraint tier_days_pkey primary key (program_id),
  constraint tier_days_program_id_fkey foreign key (program_id) references programs(id)
);

-- Every id by which a payment is known, so that none is counted twice.
create table transactions (
  processor_event_id text collate "C" not null,
  program_id bigint not null,
  sale_id bigint not null,
  test_program_id bigint default 0 not null,
  constraint transactions_pkey primary key (processor_event_id, test_program_id)
);
create index transactions_by_program on transactions (program_id, processor_event_id);

-- Addresses that a mail server has refused for good.
create table undeliverable_addresses (
  address text collate "C" not null,
  reason text not null,
  since timestamptz not null,
  constraint undeliverable_addresses_pkey primary key (address)
);

-- When the newest release was last looked up, and what it was.
create table update_checks (
  id integer not null,
  checked_at timestamptz not null,
  announced text collate "C",
  constraint update_checks_pkey primary key (id),
  constraint update_checks_id_check check ((id = 1))
);

-- Accounts of people, for the dashboard and the portal.
create table users (
  id text not null,
  name text not null,
  email text not null,
  email_verified boolean default false not null,
  image text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  suspended_at timestamptz,
  payout_details text,
  two_factor_enabled boolean default false not null,
  constraint users_pkey primary key (id),
  constraint users_email_key unique (email)
);
create trigger users_two_factor_enabled before update of two_factor_enabled on users for each row execute function derive_two_factor_enabled();

-- Codes and links of the sign-in library that wait to be used.
create table verifications (
  id text not null,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint verifications_pkey primary key (id)
);
create index verifications_by_expiry on verifications (expires_at);
create index verifications_by_identifier on verifications (identifier);

-- What was sent to an endpoint, or is to be, and what it answered.
create table webhook_deliveries (
  id bigint generated always as identity not null,
  endpoint_id bigint not null,
  event_id uuid not null,
  sequence bigint,
  type text not null,
  body json,
  status text default 'pending' not null,
  attempts integer default 0 not null,
  due_at timestamptz,
  last_status integer,
  last_error text,
  response_headers jsonb,
  response_body text,
  created_at timestamptz not null,
  expired_at timestamptz,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoints(id) on delete cascade,
  constraint pending_ones_are_due check (((status = 'pending') = (due_at is not null))),
  constraint webhook_deliveries_status_check check ((status = any (array['pending', 'delivered', 'failed'])))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where (status = 'pending');
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id) where (status = 'failed');
create index webhook_deliveries_of_endpoints on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_of_events on webhook_deliveries (endpoint_id, sequence);

-- Addresses that events of a program are sent to; secrets are encrypted.
create table webhook_endpoints (
  id bigint generated always as identity not null,
  program_id bigint not null,
  url text not null,
  host text not null,
  types text[] not null,
  description text,
  format text not null,
  status text default 'active' not null,
  disabled_reason text,
  disabled_after bigint,
  failing_since timestamptz,
  warned_at timestamptz,
  secret_sealed text not null,
  old_secret_sealed text,
  old_secret_until timestamptz,
  created_at timestamptz not null,
  last_failed_at timestamptz,
  failing_ms bigint default 0 not null,
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_program_id_fkey foreign key (program_id) references programs(id),
  constraint disabled_for_a_reason check (((status = 'disabled') = (disabled_reason is not null))),
  constraint old_secrets_end check (((old_secret_sealed is null) = (old_secret_until is null))),
  constraint webhook_endpoints_disabled_reason_check check ((disabled_reason = any (array['person', 'gone', 'failing']))),
  constraint webhook_endpoints_failing_ms_check check ((failing_ms >= 0)),
  constraint webhook_endpoints_format_check check ((format = any (array['json', 'slack', 'discord']))),
  constraint webhook_endpoints_status_check check ((status = any (array['active', 'disabled'])))
);
create index webhook_endpoints_of_hosts on webhook_endpoints (host);
create index webhook_endpoints_of_programs on webhook_endpoints (program_id);

-- Which node is sending to a host at the moment.
create table webhook_hosts (
  host text not null,
  node uuid not null,
  leased_until timestamptz not null,
  constraint webhook_hosts_pkey primary key (host)
);

-- Who belongs to which workspace, and in which role.
create table workspace_members (
  user_id text not null,
  advertiser_id bigint not null,
  role text not null,
  created_at timestamptz not null,
  constraint workspace_members_pkey primary key (user_id),
  constraint workspace_members_advertiser_id_fkey foreign key (advertiser_id) references advertisers(id),
  constraint workspace_members_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint workspace_members_role_check check ((role = any (array['owner', 'member', 'finance', 'viewer'])))
);
create index workspace_members_by_advertiser on workspace_members (advertiser_id);

create view results as
 select customers.program_id,
    customers.partner_id,
    customers.link_id,
    customers.lead_at as at,
    null::text as currency,
    1 as leads,
    0 as first_sales,
    0 as sales,
    (0)::bigint as revenue_cents,
    (0)::bigint as refunded_cents,
    (0)::bigint as commission_cents,
    customers.id as customer_id,
    customers.id as row_id,
    null::text as coupon_code,
    null::boolean as is_recurring
   from customers
  where ((customers.lead_at is not null) and (not customers.is_test))
union all
 select customers.program_id,
    customers.partner_id,
    customers.link_id,
    customers.converted_at as at,
    null::text as currency,
    0 as leads,
    1 as first_sales,
    0 as sales,
    0 as revenue_cents,
    0 as refunded_cents,
    0 as commission_cents,
    customers.id as customer_id,
    customers.id as row_id,
    null::text as coupon_code,
    null::boolean as is_recurring
   from customers
  where ((customers.converted_at is not null) and (not customers.is_test))
union all
 select sales.program_id,
    sales.partner_id,
    sales.link_id,
    sales.created_at as at,
    sales.currency,
    0 as leads,
    0 as first_sales,
    1 as sales,
    sales.amount_cents as revenue_cents,
    sales.refunded_cents,
    0 as commission_cents,
    sales.customer_id,
    sales.id as row_id,
    sales.coupon_code,
    sales.is_recurring
   from sales
  where (not sales.is_test)
union all
 select s.program_id,
    m.partner_id,
        case
            when (m.partner_id = s.partner_id) then s.link_id
            else null::bigint
        end as link_id,
    s.created_at as at,
    m.currency,
    0 as leads,
    0 as first_sales,
    0 as sales,
    0 as revenue_cents,
    0 as refunded_cents,
    (m.commission_cents - m.deducted_cents) as commission_cents,
    s.customer_id,
    s.id as row_id,
    s.coupon_code,
    s.is_recurring
   from (commissions m
     join sales s on ((s.id = m.sale_id)))
  where ((m.stage <> 'rejected') and (not s.is_test))
union all
 select commissions.program_id,
    commissions.partner_id,
    commissions.link_id,
    commissions.created_at as at,
    commissions.currency,
    0 as leads,
    0 as first_sales,
    0 as sales,
    0 as revenue_cents,
    0 as refunded_cents,
    (commissions.commission_cents - commissions.deducted_cents) as commission_cents,
    commissions.customer_id,
    commissions.id as row_id,
    null::text as coupon_code,
    null::boolean as is_recurring
   from commissions
  where ((commissions.sale_id is null) and (commissions.stage <> 'rejected'));

create function add_default_group() returns trigger language plpgsql as $$
begin
  insert into partner_groups (id, program_id, name, is_default, created_at)
  values (new.default_group_id, new.id, 'Default', true, new.created_at);
  return null;
end $$;

create function announce_aliases() returns trigger language plpgsql as $$
begin
  perform pg_notify('svc_changes', 'link:' || code) from link_aliases where link_id = new.id;
  return null;
end $$;

create function announce_change() returns trigger language plpgsql as $$
declare
  row_before jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
  row_after jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
begin
  if row_before is not null then
    perform pg_notify('svc_changes', tg_argv[0] || ':' || coalesce(row_before ->> tg_argv[1], ''));
  end if;
  if row_after is not null and (row_after ->> tg_argv[1]) is distinct from (row_before ->> tg_argv[1]) then
    perform pg_notify('svc_changes', tg_argv[0] || ':' || coalesce(row_after ->> tg_argv[1], ''));
  end if;
  return null;
end $$;

create function announce_mail() returns trigger language plpgsql as $$
begin
  perform pg_notify('svc_mail', '');
  return null;
end $$;

create function append_clicks() returns trigger language plpgsql as $$
begin
  -- Nodes of 0.2.0 append clicks to click_deltas. It stays empty, so that their job has nothing to roll up.
  -- until: 0.4.0
  insert into count_deltas (program_id, hour, partner_id, link_id, clicks)
  values (new.program_id, new.hour, new.partner_id, new.link_id, new.clicks);
  return null;
end $$;

create function append_counts(deltas json) returns void language plpgsql as $$
begin
  insert into count_deltas (program_id, hour, partner_id, link_id, currency, leads, first_sales, sales, revenue_cents,
    refunded_cents, commission_cents)
  select program_id, hour, partner_id, link_id, currency, coalesce(leads, 0), coalesce(first_sales, 0), coalesce(sales, 0),
    coalesce(revenue_cents, 0), coalesce(refunded_cents, 0), coalesce(commission_cents, 0)
  from json_populate_recordset(null::count_deltas, deltas);
exception when others then
  raise warning 'Not counted, a recount is due: %', sqlerrm;
  insert into recounts_due (program_id, day)
  select distinct program_id, (hour at time zone 'UTC')::date
  from json_to_recordset(deltas) as delta(program_id bigint, hour timestamptz);
end $$;

create function append_results() returns trigger language plpgsql as $$
begin
  -- Transactions of nodes of 0.2.0 that are under way append to result_deltas.
  -- until: 0.4.0
  insert into count_deltas (program_id, hour, partner_id, link_id, currency, leads, first_sales, sales, revenue_cents,
    refunded_cents, commission_cents)
  values (new.program_id, new.day::timestamp at time zone 'UTC', new.partner_id, new.link_id, new.currency, new.leads,
    new.first_sales, new.sales, new.revenue_cents, new.refunded_cents, new.commission_cents);
  return null;
end $$;

create function count_commissions() returns trigger language plpgsql as $$
declare
  -- Nodes of 0.2.0 leave it to the database.
  -- until: 0.4.0
  sign integer := tg_argv[0];
begin
  if current_setting('svc.counts', true) = 'appended' then return null; end if;
  perform append_counts((select json_agg(delta) from (
    select m.program_id, date_trunc('hour', coalesce(s.created_at, m.created_at), 'UTC') as hour, m.partner_id,
      case when m.sale_id is null then m.link_id when m.partner_id = s.partner_id then s.link_id end as link_id, m.currency,
      sign * sum(m.commission_cents - m.deducted_cents) as commission_cents
    from changed m left join sales s on s.id = m.sale_id
    where m.stage <> 'rejected' and s.is_test is not true group by 1, 2, 3, 4, 5) delta));
  return null;
end $$;

create function count_customers() returns trigger language plpgsql as $$
declare
  -- Nodes of 0.2.0 leave it to the database.
  -- until: 0.4.0
  sign integer := tg_argv[0];
begin
  if current_setting('svc.counts', true) = 'appended' then return null; end if;
  perform append_counts((select json_agg(delta) from (
    select program_id, date_trunc('hour', lead_at, 'UTC') as hour, partner_id, link_id, sign * count(*) as leads, 0 as first_sales
    from changed where lead_at is not null and not is_test group by 1, 2, 3, 4
    union all
    select program_id, date_trunc('hour', converted_at, 'UTC'), partner_id, link_id, 0, sign * count(*)
    from changed where converted_at is not null and not is_test group by 1, 2, 3, 4) delta));
  return null;
end $$;

create function count_sales() returns trigger language plpgsql as $$
declare
  -- Nodes of 0.2.0 leave it to the database.
  -- until: 0.4.0
  sign integer := tg_argv[0];
begin
  if current_setting('svc.counts', true) = 'appended' then return null; end if;
  perform append_counts((select json_agg(delta) from (
    select program_id, date_trunc('hour', created_at, 'UTC') as hour, partner_id, link_id, currency, sign * count(*) as sales,
      sign * sum(amount_cents) as revenue_cents, sign * sum(refunded_cents) as refunded_cents
    from changed where not is_test group by 1, 2, 3, 4, 5) delta));
  return null;
end $$;

create function derive_two_factor_enabled() returns trigger language plpgsql as $$
begin
  new.two_factor_enabled := exists (select from second_factors f where f.user_id = new.id and f.verified)
    or exists (select from passkeys p where p.user_id = new.id);
  return new;
end $$;

create function erase_clicks(erased bigint[]) returns void language plpgsql as $$
declare
  month record;
begin
  for month in
    select c.relname::text as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'sub' and not a.attisdropped) as has_sub
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and (c.relname = 'clicks'
      or c.relkind = 'r' and not c.relispartition and c.relname ~ '^clicks_\d{4}_\d\d$')
  loop
    execute format(
      'update %I set affiliate_url = null, page_url = null, page_title = null, referrer_url = null, session_id = null,
         user_agent = null, screen_resolution = null, viewport_size = null, language = null, timezone = null %s
       where customer_id = any ($1)', month.name, case when month.has_sub then ', sub = null' end) using erased;
  end loop;
end $$;

create function forget_ending_import() returns trigger language plpgsql as $$
begin
  new.ended_by_import_id := null;
  return new;
end $$;

create function keep_attribution() returns trigger language plpgsql as $$
begin
  -- Nodes of 0.2.0 move customers without keeping whose they were.
  -- until: 0.4.0
  insert into attributions (customer_id, since, partner_id, membership_id, link_id, assigned_at)
  select c.id, coalesce(c.assigned_at, '-infinity'), c.partner_id, c.membership_id, c.link_id, c.assigned_at
  from (select old.* union all select new.*) c
  where c.partner_id is not null
  on conflict do nothing;
  return null;
end $$;

create function keep_booked_members() returns trigger language plpgsql as $$
begin
  if exists (select from book_entries where program_id = old.program_id and partner_id = old.partner_id) then
    raise exception 'A member with entries in the books stays one' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create function keep_terms() returns trigger language plpgsql as $$
begin
  insert into terms_versions (program_id, version, effective_from, commission_type, commission_rate, currency,
    recurring_months, hold_days, commission_base, made_by, rules, note, attribution)
  values (new.id, new.terms_version, new.terms_since, new.commission_type, new.commission_rate, new.currency,
    new.recurring_months, new.hold_days, new.commission_base, new.terms_made_by, new.rules, new.terms_note, new.attribution)
  -- A scheduled version that comes into force is there already.
  on conflict do nothing;
  return null;
end $$;

create function make_click_partition(month timestamp with time zone) returns void language plpgsql as $$
declare
  from_time timestamptz := date_trunc('month', month, 'UTC');
  to_time timestamptz := date_trunc('month', from_time + interval '32 days', 'UTC');
  partition text := 'clicks_' || to_char(from_time at time zone 'UTC', 'YYYY_MM');
begin
  if to_regclass(partition) is not null then
    return;
  end if;
  execute format('create table %I (like clicks including defaults)', partition);
  execute format(
    'with moved as (delete from clicks_other_months where clicked_at >= %L and clicked_at < %L returning *)
     insert into %I select * from moved', from_time, to_time, partition);
  execute format('alter table clicks attach partition %I for values from (%L) to (%L)', partition, from_time, to_time);
end $$;

create function note_second_factor_change() returns trigger language plpgsql as $$
begin
  update users set two_factor_enabled = true where id = coalesce(new.user_id, old.user_id);
  return null;
end $$;

create function number_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.terms_since := new.created_at;
  elsif new.terms_version = old.terms_version
    and (new.commission_type, new.commission_rate, new.currency, new.recurring_months, new.hold_days, new.commission_base,
      new.rules, new.attribution)
      is distinct from
      (old.commission_type, old.commission_rate, old.currency, old.recurring_months, old.hold_days, old.commission_base,
      old.rules, old.attribution)
  then
    new.terms_version := old.terms_version + 1;
    new.terms_since := now();
    new.terms_made_by := null;
    new.terms_note := null;
  end if;
  if tg_op = 'UPDATE' and new.terms_version <> old.terms_version and exists (
    select from terms_versions v
    where v.program_id = new.id and v.version = new.terms_version and v.effective_from <> new.terms_since)
  then
    new.terms_version := (select max(version) + 1 from terms_versions where program_id = new.id);
  end if;
  return new;
end $$;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('svc.audit_change', true) = 'purge' then return null; end if;
  if tg_op = 'UPDATE' and current_setting('svc.audit_change', true) = 'erase' then return null; end if;
  raise exception 'Rows of the audit log are never changed or deleted';
end $$;

create function refuse_book_change() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of the books are never changed or deleted';
end $$;

create function refuse_changed_terms() returns trigger language plpgsql as $$
begin
  raise exception 'A version of the terms never changes';
end $$;

create function refuse_erasure_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of the list of erasures are never changed or deleted';
end $$;

create function refuse_excess_refund() returns trigger language plpgsql as $$
begin
  if (select sum(amount_cents) from refunds where sale_id = new.sale_id)
    > (select amount_cents from sales where id = new.sale_id) then
    raise exception 'the refunds of sale % are above the sale', new.sale_id
      using errcode = 'check_violation', constraint = 'refunds_never_above_the_sale';
  end if;
  return null;
end $$;

create function refuse_moved_sale() returns trigger language plpgsql as $$
begin
  raise exception 'sale % has a commission: its program, partner, link and time stay', old.id
    using errcode = 'check_violation', constraint = 'sales_with_a_commission_stay';
end $$;

create function release_caps() returns trigger language plpgsql as $$
declare
  -- Nodes of 0.1.0 leave it to the database.
  -- until: 0.3.0
  caps jsonb := (
    select v.rules -> (old.rule - 1) -> 'caps' from terms_versions v
    where v.program_id = old.program_id and v.version = old.terms_version);
  sale sales;
begin
  select * into sale from sales where id = old.sale_id;
  update cap_counts c set cents = greatest(c.cents - old.commission_cents, 0)
  where c.program_id = old.program_id and c.partner_id = old.partner_id and c.currency = old.currency
    and (caps ? 'per_customer_cents' and c.scope = 'customer' and c.scope_id = coalesce(old.customer_id, sale.customer_id)
      or caps ? 'per_partner_month_cents' and c.scope = 'month'
        and c.scope_id = to_char(coalesce(sale.created_at, old.created_at) at time zone 'UTC', 'YYYYMM')::bigint);
  return null;
end $$;

create function rename_paid_mail() returns trigger language plpgsql as $$
begin
  -- Nodes of 0.2.0 queue these mails, and switch them off, by the earlier name.
  -- until: 0.4.0
  new.kind = 'statement_ready';
  return new;
end $$;

create function reverse_credit() returns trigger language plpgsql as $$
begin
  -- Nodes of 0.1.0 leave it to the database.
  -- until: 0.3.0
  update customer_credits
  set reversed_cents = div(2 * amount_cents::numeric * new.refunded_cents + new.amount_cents, 2 * new.amount_cents)
  where sale_id = new.id;
  return null;
end $$;
