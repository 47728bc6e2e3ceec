import { basic, FakeTool, numbered } from './fake-tool.ts';

/**
 * From https://developers.rewardful.com/rest-api: the objects of affiliates, referrals and commissions with their example values,
 * `pagination`, `expand[]`, basic authentication, and the `RateLimit` fields of a 429. Not published: the page size beyond which
 * a list is cut, which is 100 here.
 */
export type RewardfulData = { affiliates: Affiliate[]; referrals: Referral[]; commissions: Commission[] };

type Affiliate = ReturnType<typeof affiliate>;
type Referral = ReturnType<typeof referral>;
type Commission = ReturnType<typeof commission>;

export function affiliate(id: string, email: string, more: object = {}) {
  return {
    id,
    created_at: '2020-08-19T16:13:12.109Z',
    updated_at: '2020-08-19T16:28:31.166Z',
    first_name: 'Jamie',
    last_name: 'Bond',
    email,
    paypal_email: 'jamie+paypal@example.com',
    wise_email: null,
    state: 'active',
    visitors: 100,
    leads: 42,
    conversions: 18,
    campaign: { id: 'c3482343-8680-40c5-af9a-9efa119713b5', name: 'Friends Of MI6' },
    links: [
      {
        id: `${id}-link`,
        url: `https://www.acme.test/?via=${id}`,
        token: id,
        visitors: 100,
        leads: 42,
        conversions: 18,
      },
    ],
    coupon: null as null | object,
    ...more,
  };
}

export function referral(id: string, affiliateId: string | null, more: object = {}) {
  return {
    id,
    stripe_account_id: 'acct_ABC123',
    stripe_customer_id: `cus_${id}`,
    conversion_state: 'conversion',
    deactivated_at: null,
    expires_at: '2020-10-18T16:13:12.109Z',
    created_at: '2020-08-19T16:13:12.109Z',
    updated_at: '2020-08-19T16:28:31.166Z',
    became_lead_at: '2020-08-20T16:13:12.109Z',
    became_conversion_at: '2020-08-21T16:13:12.109Z',
    customer: { platform: 'stripe', id: `cus_${id}`, name: 'Fred Durst', email: `${id}@customer.test` },
    visits: 3,
    affiliate: affiliateId === null ? null : { id: affiliateId },
    ...more,
  };
}

export function commission(id: string, affiliateId: string, amount: number, state: string, more: object = {}) {
  return {
    id,
    created_at: '2020-08-19T16:28:31.164Z',
    updated_at: '2020-08-19T16:28:31.164Z',
    amount,
    currency: 'USD',
    state,
    due_at: '2020-09-18T16:28:25.000Z',
    paid_at: null,
    voided_at: null,
    campaign: { id: 'c3482343-8680-40c5-af9a-9efa119713b5', name: 'Friends Of MI6' },
    sale: {
      id: `${id}-sale`,
      currency: 'USD',
      charged_at: '2020-08-19T16:28:25.000Z',
      stripe_charge_id: `ch_${id}`,
      charge_amount_cents: 10000,
      refund_amount_cents: 0,
      tax_amount_cents: 0,
      sale_amount_cents: 10000,
      affiliate: { id: affiliateId },
    },
    ...more,
  };
}

export const REWARDFUL_SECRET = 'rewardful-secret';

export function fakeRewardful(data: RewardfulData): FakeTool {
  const list = <Row>(rows: Row[], query: URLSearchParams) => {
    const page = Number(query.get('page') ?? 1);
    const shown = numbered(rows, query, 'limit', 25);
    const limit = Math.min(Number(query.get('limit') ?? 25), 100);
    const pages = Math.max(1, Math.ceil(rows.length / limit));
    const pagination = {
      previous_page: page > 1 ? page - 1 : null,
      current_page: page,
      next_page: page < pages ? page + 1 : null,
      count: shown.length,
      limit,
      total_pages: pages,
      total_count: rows.length,
    };
    return { pagination, data: shown };
  };
  const without = (row: object, ...names: string[]) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
  return new FakeTool({
    isAllowed: ({ authorization }) => authorization === basic(REWARDFUL_SECRET),
    refusal: { 'RateLimit-Limit': '45', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '1' },
    answer: ({ path, query }) => {
      const expand = query.getAll('expand[]');
      const hidden = ['links', 'coupon', 'affiliate', 'sale'].filter((name) => !expand.includes(name));
      if (path === '/affiliates')
        return list(
          data.affiliates.map((row) => without(row, ...hidden)),
          query,
        );
      if (path === '/referrals') {
        const states = query.getAll('conversion_state[]');
        const found = data.referrals.filter((row) => states.length === 0 || states.includes(row.conversion_state));
        return list(
          found.map((row) => without(row, ...hidden)),
          query,
        );
      }
      return path === '/commissions'
        ? list(
            data.commissions.map((row) => without(row, ...hidden)),
            query,
          )
        : undefined;
    },
  });
}
