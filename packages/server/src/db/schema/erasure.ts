import { saleDetails } from '@svc/contract';

/** What erasing a person does to a text column. */
export const TREATMENTS = {
  kept: 'kept: it names neither customers nor account holders',
  public: 'kept: a public code or address that still has to work; an e-mail address in it goes',
  cleared: 'cleared in rows of the person',
  deleted: 'deleted with the person’s row',
  redacted: 'redacted where it names the person',
  replaced: 'replaced where it names the person',
  sealed: 'encrypted: opened, and redacted or deleted where it names the person',
  expires: 'kept until it expires or is finished, and then deleted',
} as const;

export type Treatment = keyof typeof TREATMENTS;

/** Which rows of a table `t` are searched for a person, and what replaces a text there that has to stay unique, before the id. */
type Search = {
  rows?: string;
  replacement?: string;
  /** Columns of which only the values of one object are redacted. */
  redactedWithin?: Record<string, string>;
};

/** What callers add about a sale is their own text, unless it is one of a few words. */
const REDACTED_DETAILS = Object.keys(saleDetails)
  .filter((field) => field !== 'subscription_interval')
  .join(' ');

/**
 * Every text column of every table (text, text[], jsonb), and what erasure does to it; columns are separated by spaces. A text
 * column that is not listed fails a test. `redacted` is all that it takes to have a column searched, in the rows that `rows`
 * selects: see redact-texts.ts.
 */
export const ERASURE: Record<string, Partial<Record<Treatment, string>> & Search> = {
  account_tokens: { deleted: 'user_id token_hash name audience scopes client_hash client_address' },
  address_links: { deleted: 'user_id token_hash purpose address new_address' },
  advertisers: { replaced: 'name' },
  agreement_acceptances: { kept: 'user_id' },
  agreements: { rows: 't.program_id = a.program_id', redacted: 'text', kept: 'made_by' },
  alerts: { kept: 'kind subject_id subject_name' },
  archived_erasures: { kept: 'month' },
  audit_events: {
    rows: 't.advertiser_id = a.workspace_id',
    redacted: 'before after subject_name',
    cleared: 'actor_name',
    kept: 'user_id action subject subject_id request_id actor_kind actor_id',
  },
  book_entries: { kept: 'currency kind' },
  books: { kept: 'differences' },
  // The message is one of ours, and the token is that of an invitation, which erasing the partner or the account ends.
  bulk_action_rows: { kept: 'outcome message mail_refusal token_sealed' },
  bulk_action_slices: { expires: 'items' },
  bulk_actions: {
    rows: 't.program_id = a.program_id',
    redacted: 'change',
    kept: 'kind status stop_reason skipped created_by actor',
  },
  cap_counts: { kept: 'scope currency' },
  cli_sessions: { deleted: 'state_hash user_code user_id device_name' },
  click_facet_days: {
    replaced: 'landing_page referrer utm_source utm_medium utm_campaign sub',
    kept: 'device country',
  },
  clicks: {
    cleared:
      'affiliate_url page_url page_title referrer_url session_id user_agent screen_resolution viewport_size language timezone sub',
    kept: 'country',
  },
  commissions: {
    rows: `t.id in (
      select m.id from commissions m join sales s on s.id = m.sale_id where s.customer_id = any (a.customer_ids)
      union all select id from commissions where customer_id = any (a.customer_ids)
      union all select id from commissions
        where program_id = a.program_id and (reason is not null or rejection_reason is not null))`,
    redacted: 'reason rejection_reason terms_facts',
    kept: 'commission_type currency stage reversal hold_reason kind',
  },
  count_deltas: { kept: 'currency' },
  counts: { kept: 'span currency' },
  coupons: { rows: 't.program_id = a.program_id', replacement: 'erased-', public: 'code code_key' },
  // What a file shows is the brand’s own. Deleting the creative deletes it.
  creative_files: { rows: 't.program_id = a.program_id', redacted: 'name', kept: 'media_type sha256 content_base64' },
  creatives: { rows: 't.program_id = a.program_id', redacted: 'title url text', kept: 'kind status' },
  customer_credits: { kept: 'currency' },
  customer_facets: { deleted: 'landing_page referrer device country utm_source utm_medium utm_campaign sub cohort' },
  customers: {
    cleared: 'customer_key claimed_customer_key email_hash email_masked email_source email_identity_hash sub',
    kept: 'status lead_state lead_source',
  },
  decisions: {
    cleared: 'customer_key click_id additional_data',
    replaced: 'transaction_id facts',
    kept: 'kind outcome reason source request_id',
  },
  downloads: { kept: 'path media_type content_base64' },
  erasures: { kept: 'subject subject_id' },
  feed_events: { replaced: 'facts gone more', kept: 'type subject reason' },
  idempotency_keys: { sealed: 'answer_sealed', deleted: 'user_id', kept: 'scope body_hash' },
  import_counts: { kept: 'kind' },
  import_items: { cleared: 'external_id', kept: 'kind parameter kept' },
  imports: { kept: 'source status created_by' },
  invitations: { replaced: 'email', kept: 'role token_hash invited_by' },
  kept_answer_days: { deleted: 'owner' },
  known_devices: { deleted: 'user_id device_hash' },
  link_aliases: { public: 'code' },
  link_totals: { kept: 'currency' },
  link_domains: { kept: 'host status' },
  links: { rows: 't.program_id = a.program_id', redacted: 'label destination_url', public: 'short_link' },
  mail_counts: { deleted: 'counted', kept: 'kind' },
  mail_preferences: { deleted: 'user_id kind' },
  mails: { deleted: 'cause user_id address', expires: 'content_sealed last_error', kept: 'kind state' },
  memberships: {
    rows: 't.program_id = a.program_id',
    redacted: 'answers',
    cleared: 'external_id',
    kept: 'status group_by',
  },
  oauth_codes: {
    deleted: 'code_hash user_id client_hash redirect_uri code_challenge client_name client_address audience scopes',
  },
  opening_balances: { kept: 'currency' },
  outbox: { replaced: 'facts gone more', kept: 'type subject' },
  partner_groups: {
    rows: 't.program_id = a.program_id',
    replacement: 'Group ',
    replaced: 'name',
    kept: 'tier_of tier_in',
  },
  partner_message_rows: { kept: 'outcome' },
  partner_messages: { rows: 't.program_id = a.program_id', redacted: 'subject text', kept: 'sent_by' },
  partner_notes: { rows: 't.program_id = a.program_id', redacted: 'text', kept: 'user_id' },
  partners: { replaced: 'name email', cleared: 'user_id', kept: 'previous_user_id' },
  passkeys: { deleted: 'id user_id name public_key credential_id device_type transports aaguid' },
  // Bank files are documents of the brand’s books, which it has to keep.
  payout_files: { kept: 'name currency bytes_sealed sha256' },
  payout_method_lifts: { rows: 't.program_id = a.program_id', redacted: 'reason', kept: 'lifted_by' },
  payout_methods: { deleted: 'user_id kind details_sealed masked holder_name holder_kind country' },
  payout_run_omissions: {
    rows: 't.run_id in (select r.id from payout_runs r where r.program_id = a.program_id)',
    redacted: 'note',
    kept: 'currency reason',
  },
  payout_runs: {
    rows: 't.program_id = a.program_id',
    redacted: 'request',
    // A run is prepared from the rest of its request, and found by it.
    redactedWithin: { request: 'exclusionNotes' },
    kept: 'status made_by approved_by preparation',
  },
  payout_settings: { kept: 'minimum_cents payer_sealed' },
  payouts: {
    rows: 't.program_id = a.program_id',
    redacted: 'reference failure_reason not_in_file',
    cleared: 'method_masked',
    kept: 'currency status method_kind end_to_end_id failure_code',
  },
  postback_calls: {
    rows: 't.customer_id = any (a.customer_ids)',
    redacted: 'facts',
    deleted: 'called_url last_error',
    kept: 'event status called_method',
  },
  postbacks: { deleted: 'user_id url host', kept: 'method status disabled_reason' },
  processor_accounts: { kept: 'account_id' },
  processor_charges: { kept: 'charge_id payment_intent invoice currency' },
  processor_codes: { deleted: 'reference code' },
  processor_connections: { kept: 'provider account_id secret_encrypted' },
  processor_deductions: { replaced: 'deduction_id payment_intent', kept: 'kind charge_id currency state' },
  processor_event_types: { kept: 'provider type' },
  processor_events: {
    sealed: 'payload_sealed',
    cleared: 'last_error waits_for hint',
    replaced: 'event_id transaction_id',
    kept: 'type state outcome provider',
  },
  processor_identities: { deleted: 'reference' },
  processor_payment_links: { kept: 'reference transaction_id' },
  processor_secrets: { kept: 'provider label secret_encrypted' },
  processor_subscriptions: { deleted: 'subscription_id first_transaction_id' },
  program_days: { kept: 'currency' },
  program_keys: { kept: 'key_hash key_masked' },
  program_logos: { kept: 'name media_type content_base64' },
  programs: {
    rows: 't.id = a.program_id',
    redacted: 'name questions terms_note invitation_opening welcome_opening',
    cleared: 'contact_email',
    kept: `domain commission_type currency lead_auth allowed_origins link_parameters slug joining join_token commission_base terms_made_by
      status brand_color logo_name contact_url rules attribution`,
  },
  refunds: {
    rows: 't.sale_id in (select id from sales where customer_id = any (a.customer_ids))',
    replacement: 'erased-refund-',
    redacted: 'reason',
    replaced: 'refund_key',
    kept: 'status request_id source',
  },
  refused_calls: { kept: 'kind reason origin' },
  result_days: { kept: 'currency' },
  result_deltas: { kept: 'currency' },
  result_facet_days: {
    replaced: 'landing_page referrer utm_source utm_medium utm_campaign sub',
    kept: 'device country coupon payment cohort',
  },
  retired_click_months: { kept: 'month files' },
  sales: {
    rows: 't.customer_id = any (a.customer_ids)',
    redacted: `coupon_code terms_facts ${REDACTED_DETAILS}`,
    replaced: 'processor_event_id',
    kept: `currency sale_type subscription_interval commission_type program_currency commission_state request_id hold_reason
      subscription_stage commission_base`,
  },
  saved_views: { deleted: 'user_id name query', kept: 'list' },
  second_factors: { deleted: 'id user_id secret backup_codes' },
  sessions: { deleted: 'id token user_id ip_address user_agent' },
  sign_in_attempts: { deleted: 'id key' },
  sign_ins: { deleted: 'id account_id provider_id user_id access_token refresh_token id_token scope password' },
  signing_keys: { kept: 'id public_key private_key alg crv' },
  terms_versions: {
    rows: 't.program_id = a.program_id',
    redacted: 'note',
    kept: 'commission_type currency commission_base made_by rules attribution',
  },
  transactions: { replaced: 'processor_event_id' },
  undeliverable_addresses: { deleted: 'address reason' },
  update_checks: { kept: 'announced' },
  users: { deleted: 'id name email image payout_details' },
  verifications: { deleted: 'id identifier value' },
  workspace_members: { deleted: 'user_id role' },
  webhook_deliveries: {
    rows: 't.endpoint_id in (select id from webhook_endpoints where program_id = a.program_id)',
    redacted: 'response_headers response_body',
    kept: 'type status last_error body',
  },
  webhook_endpoints: {
    rows: 't.program_id = a.program_id',
    redacted: 'description',
    kept: 'url host types format status disabled_reason secret_sealed old_secret_sealed',
  },
  webhook_hosts: { kept: 'host' },
};

/** The columns of a table that erasure treats like this. */
export function columnsTreated(table: string, treatment: Treatment): string[] {
  return ERASURE[table]?.[treatment]?.split(/\s+/) ?? [];
}

/** What erasure does to a column; null where it is not listed, as columns that are no texts. */
export function treatmentOf(table: string, column: string): Treatment | null {
  const treatments = Object.keys(TREATMENTS) as Treatment[];
  return treatments.find((treatment) => columnsTreated(table, treatment).includes(column)) ?? null;
}
