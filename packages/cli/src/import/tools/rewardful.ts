import { z } from 'zod';
import { addEarning, type EarningState, emptyReading, type Reading, stripeId } from '../reading.ts';
import { type About, codeIn, nameOf, type Page, type Rows, type Tool, withParameter } from '../tool.ts';

const PARAMETERS = ['via'];

const affiliate = z.object({
  id: z.string(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  email: z.string(),
  state: z.string(),
  links: z.array(z.object({ url: z.string().nullish(), token: z.string() })).nullish(),
  coupon: z.object({ token: z.string(), archived: z.boolean().nullish() }).nullish(),
});

const referral = z.object({
  id: z.string(),
  stripe_customer_id: z.string().nullish(),
  conversion_state: z.string(),
  expires_at: z.string().nullish(),
  deactivated_at: z.string().nullish(),
  became_lead_at: z.string().nullish(),
  created_at: z.string(),
  customer: z.object({ id: z.string().nullish(), email: z.string().nullish() }).nullish(),
  affiliate: z.object({ id: z.string() }).nullish(),
});

const commission = z.object({
  id: z.string(),
  amount: z.number(),
  currency: z.string(),
  state: z.string(),
  sale: z.object({ affiliate: z.object({ id: z.string() }).nullish() }).nullish(),
});

type Affiliate = z.infer<typeof affiliate>;
type Referral = z.infer<typeof referral>;
type Commission = z.infer<typeof commission>;

const STATES: Record<string, EarningState> = { pending: 'pending', due: 'approved', paid: 'paid' };

/** https://developers.rewardful.com/rest-api: amounts are in the smallest unit, pages are numbered, `expand[]` includes objects. */
export const rewardful: Tool = {
  title: 'Rewardful',
  apiUrl: 'https://api.getrewardful.com/v1',
  secrets: [{ env: 'REWARDFUL_API_SECRET', what: 'the API Secret on the page Company settings of Rewardful' }],
  headers: ([secret = '']) => ({ Authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}` }),
  // Published: 45 in 30 seconds.
  limit: { requests: 40, seconds: 30 },
  parameters: PARAMETERS,
  lists: [
    {
      name: 'affiliates',
      row: affiliate,
      path: () => '/affiliates?expand[]=links&expand[]=coupon&limit=100&page=1',
      page: pageOf,
    },
    {
      name: 'referrals',
      row: referral,
      // Visitors are nobody whom a payment could be matched to.
      path: () =>
        '/referrals?conversion_state[]=lead&conversion_state[]=conversion&expand[]=affiliate&limit=100&page=1',
      page: pageOf,
    },
    { name: 'commissions', row: commission, path: () => '/commissions?expand[]=sale&limit=100&page=1', page: pageOf },
  ],
  toReading,
  notTakenOver: [
    'campaigns and their commission terms: set them with `svc terms`',
    'payout methods: partners enter theirs in the portal',
    'visitors who have not signed up yet, and statistics',
  ],
};

function pageOf(body: unknown, path: string): Page | undefined {
  const { data, pagination } = (body ?? {}) as { data?: unknown; pagination?: { next_page?: number | null } };
  if (!Array.isArray(data)) return undefined;
  const next = pagination?.next_page;
  return { rows: data, next: next ? withParameter(path, 'page', next) : null };
}

function toReading(rows: Rows, { now }: About): Reading {
  const reading = emptyReading();
  for (const each of rows<Affiliate>('affiliates')) addAffiliate(reading, each);
  for (const each of rows<Referral>('referrals')) addReferral(reading, each, now);
  for (const { id, amount, currency, state, sale } of rows<Commission>('commissions')) {
    addEarning(reading, { id, partnerId: sale?.affiliate?.id ?? null, amount, currency, status: state }, STATES[state]);
  }
  return reading;
}

function addAffiliate({ partners, links, coupons, leftOut }: Reading, row: Affiliate): void {
  const { id, email, state, coupon } = row;
  if (state !== 'active') {
    leftOut.push({ kind: 'partner', id: email, reason: `the affiliate is ${state}` });
    return;
  }
  partners.push({ id, email, name: nameOf([row.first_name, row.last_name], email) });
  for (const { token, url } of row.links ?? []) {
    const found = codeIn(url, PARAMETERS);
    links.push({ partnerId: id, parameter: found?.parameter ?? 'via', code: token, address: url ?? undefined });
  }
  if (coupon && !coupon.archived) coupons.push({ partnerId: id, code: coupon.token });
}

function addReferral({ customers, leftOut }: Reading, row: Referral, now: Date): void {
  const { id, conversion_state: state, expires_at: expiresAt } = row;
  const isOver = state !== 'conversion' && expiresAt != null && new Date(expiresAt) < now;
  if (row.deactivated_at || isOver) {
    leftOut.push({
      kind: 'customer',
      id,
      reason: row.deactivated_at ? 'the referral was deactivated' : 'the referral has expired',
    });
    return;
  }
  const processorId = stripeId(row.stripe_customer_id) ?? stripeId(row.customer?.id);
  customers.push({
    partnerId: row.affiliate?.id ?? null,
    // It does not know what you call the customer. Shops that report sales by the id of the processor use this one.
    id: processorId ?? id,
    processorId,
    email: row.customer?.email ?? undefined,
    firstSeenAt: row.became_lead_at ?? row.created_at,
  });
}
