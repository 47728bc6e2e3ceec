import { addOwner } from '@svc/demo/seed/owner';
import { dataSecrets } from '@svc/server/secret';
import { setUp } from '../service.ts';
import type { BenchStore } from '../store.ts';

/** Each run is of another currency, so that there is always one to make. PayPal pays all of them. */
const CURRENCIES = 'USD EUR GBP CAD AUD CHF SEK NOK DKK PLN CZK NZD SGD HKD MXN PHP THB ILS JPY'.split(' ');
export const COMMISSIONS = 3;

/** A program whose partners are paid. */
export type PayoutProgram = {
  shortLink: string;
  runsPath: string;
  token: string;
  /** What no run has paid yet. */
  currencies: string[];
};

const INSERTS = [
  `insert into users (id, name, email, email_verified, created_at, updated_at)
   select 'payee-' || n, 'Payee ' || n, 'payee-' || n || '@people.test', true, $2, $2 from generate_series(1, $1::int) n`,
  `insert into payout_methods
     (user_id, kind, details_sealed, masked, holder_name, holder_kind, country, usable_from, created_at)
   select 'payee-' || n, 'paypal', $3, 'p****@paypal.test', 'Payee ' || n, 'person', 'DE', $2, $2
   from generate_series(1, $1::int) n`,
  `insert into partners (advertiser_id, name, email, user_id, created_at)
   select $3, 'Payee ' || n, 'payee-' || n || '@people.test', 'payee-' || n, $2 from generate_series(1, $1::int) n`,
  `insert into memberships (program_id, partner_id, created_at)
   select $1, id, $2 from partners where starts_with(user_id, 'payee-')`,
  `insert into commissions (program_id, partner_id, kind, commission_type, commission_rate, commission_cents, currency,
     reason, stage, approve_after, approved_at, created_at)
   select $1, id, 'bonus', 'fixed', 0, 2000, currency, 'Agreed', 'approved', $2, $2, $2
   from partners, unnest($3::text[]) currency, generate_series(1, $4::int) where starts_with(user_id, 'payee-')`,
] as const;

/** Creates a program with this many partners, each with an account, a payout method and commissions that are due in every currency. */
export async function createPayoutProgram(store: BenchStore, partners: number): Promise<PayoutProgram> {
  const { program_id: programId, workspace_id: workspaceId, short_link: shortLink } = await setUp(store);
  const { encryption } = dataSecrets(store.env.SVC_SECRET ?? '');
  const sealed = encryption.seal(JSON.stringify({ kind: 'paypal', email: 'payee@paypal.test' }));
  const at = new Date(Date.now() - 7 * 86_400_000);
  const [users, methods, people, memberships, commissions] = INSERTS;
  const token = await store.withDb(async (db) => {
    await db.query(users, [partners, at]);
    await db.query(methods, [partners, at, sealed]);
    await db.query(people, [partners, at, workspaceId]);
    await db.query(memberships, [programId, at]);
    await db.query(commissions, [programId, at, CURRENCIES, COMMISSIONS]);
    // As autovacuum would have done in a store with this many rows.
    await db.query('vacuum (analyze)');
    await db.query('checkpoint');
    return addOwner(db, workspaceId);
  });
  return {
    shortLink,
    token,
    currencies: [...CURRENCIES],
    runsPath: `/api/v1/manage/programs/${programId}/payout-runs`,
  };
}
