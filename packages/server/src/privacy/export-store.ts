import { IS_TOLD } from '../commissions/payout-coverage-store.ts';
import type { Queryable } from '../db/db.ts';

/** A row as it is stored, with the names of its columns. */
export type StoredRow = Record<string, unknown>;

/** How many rows of one kind an export has at most, newest first. */
export const MAX_EXPORTED = 10_000;

const rows = (sql: string, order: string) =>
  `coalesce((select jsonb_agg(r.row) from (select ${sql} order by ${order} desc limit ${MAX_EXPORTED}) r), '[]')`;

const EXPORT_CUSTOMER = `
  select to_jsonb(c) as customer,
    ${rows('to_jsonb(k) as row from clicks k where k.customer_id = c.id and k.program_id = c.program_id', 'k.id')} as clicks,
    ${rows('to_jsonb(d) as row from decisions d where d.customer_id = c.id and d.program_id = c.program_id', 'd.id')} as decisions,
    ${rows('to_jsonb(s) as row from sales s where s.customer_id = c.id', 's.id')} as sales,
    ${rows('to_jsonb(f) as row from refunds f join sales s on s.id = f.sale_id where s.customer_id = c.id', 'f.id')} as refunds,
    ${rows('to_jsonb(g) as row from customer_credits g where g.customer_id = c.id', 'g.id')} as credits,
    ${rows('to_jsonb(f) as row from customer_facets f where f.customer_id = c.id', 'f.customer_id')} as visits,
    ${rows('to_jsonb(i) as row from processor_identities i where i.customer_id = c.id', 'i.seen_at')} as "processorIdentities",
    ${rows('to_jsonb(e) as row from processor_events e where e.customer_id = c.id', 'e.id')} as "processorEvents"
  from customers c where c.program_id = $1 and c.id = $2`;

export type StoredCustomer = {
  customer: StoredRow;
  clicks: StoredRow[];
  decisions: StoredRow[];
  sales: StoredRow[];
  refunds: StoredRow[];
  credits: StoredRow[];
  visits: StoredRow[];
  processorIdentities: StoredRow[];
  processorEvents: (StoredRow & { payload_sealed: string | null })[];
};

/** Everything stored about a customer of the program. */
export async function findStoredCustomer(
  db: Queryable,
  programId: number,
  customerId: number,
): Promise<StoredCustomer | null> {
  const [found] = await db.query<StoredCustomer>(EXPORT_CUSTOMER, [programId, customerId]);
  return found ?? null;
}

const EXPORT_ACCOUNT = `
  select to_jsonb(u) - '{payout_details}'::text[] as account,
    ${rows(`to_jsonb(s) - '{token}'::text[] as row from sessions s where s.user_id = u.id`, 's.created_at')} as sessions,
    ${rows(`jsonb_build_object('provider', i.provider_id, 'created_at', i.created_at) as row from sign_ins i where i.user_id = u.id`, 'i.created_at')} as "signIns",
    ${rows(`to_jsonb(t) - '{token_hash}'::text[] as row from account_tokens t where t.user_id = u.id`, 't.id')} as "accountTokens",
    ${rows(
      `to_jsonb(m) || jsonb_build_object('workspace', a.name) as row from workspace_members m
      join advertisers a on a.id = m.advertiser_id where m.user_id = u.id`,
      'm.created_at',
    )} as workspaces,
    ${rows(`to_jsonb(i) - '{token_hash}'::text[] as row from invitations i where lower(i.email) = u.email`, 'i.id')} as invitations,
    ${rows('to_jsonb(p) as row from partners p where p.user_id = u.id', 'p.id')} as partners,
    ${rows('to_jsonb(m) as row from memberships m join partners p on p.id = m.partner_id where p.user_id = u.id', 'm.id')} as memberships,
    ${rows('to_jsonb(a) as row from agreement_acceptances a where a.user_id = u.id', 'a.accepted_at')} as agreements,
    ${rows(`to_jsonb(o) as row from payouts o join partners p on p.id = o.partner_id where p.user_id = u.id and ${IS_TOLD}`, 'o.id')} as payouts,
    ${rows(`to_jsonb(t) as row from import_items t join partners p on p.id = t.item_id and t.kind = 'partner' where p.user_id = u.id`, 't.import_id')} as imports,
    ${rows('to_jsonb(b) as row from opening_balances b join partners p on p.id = b.partner_id where p.user_id = u.id', 'b.id')} as "openingBalances",
    ${rows(`to_jsonb(m) - '{details_sealed}'::text[] as row from payout_methods m where m.user_id = u.id`, 'm.id')} as "payoutMethods",
    ${rows('to_jsonb(k) as row from passkeys k where k.user_id = u.id', 'k.created_at')} as passkeys,
    ${rows('to_jsonb(d) as row from known_devices d where d.user_id = u.id', 'd.last_seen_at')} as "knownDevices",
    ${rows('to_jsonb(n) as row from mail_preferences n where n.user_id = u.id', 'n.changed_at')} as "unwantedMail",
    ${rows('to_jsonb(b) as row from postbacks b where b.user_id = u.id', 'b.id')} as postbacks,
    ${rows('to_jsonb(v) as row from saved_views v where v.user_id = u.id', 'v.id')} as views,
    ${rows('to_jsonb(e) as row from audit_events e where e.user_id = u.id', 'e.id')} as activity
  from users u where u.id = $1`;

export type StoredAccount = {
  account: StoredRow;
  sessions: StoredRow[];
  signIns: StoredRow[];
  accountTokens: StoredRow[];
  workspaces: StoredRow[];
  invitations: StoredRow[];
  partners: StoredRow[];
  memberships: StoredRow[];
  agreements: StoredRow[];
  payouts: StoredRow[];
  imports: StoredRow[];
  openingBalances: StoredRow[];
  /** Masked, like everywhere: a thief who gets into the account could read them. */
  payoutMethods: StoredRow[];
  passkeys: StoredRow[];
  knownDevices: StoredRow[];
  unwantedMail: StoredRow[];
  postbacks: StoredRow[];
  views: StoredRow[];
  activity: StoredRow[];
};

/** Everything stored about an account, without passwords and tokens. */
export async function findStoredAccount(db: Queryable, userId: string): Promise<StoredAccount | null> {
  const [found] = await db.query<StoredAccount>(EXPORT_ACCOUNT, [userId]);
  return found ?? null;
}
