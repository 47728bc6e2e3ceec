import { FakeTool, numbered } from './fake-tool.ts';

/**
 * From https://docs.firstpromoter.com/api-reference-v2/api-admin: the Bearer key with `Account-ID`, `page` and `per_page` up to 100,
 * promoters with their campaigns, `GET /promoters/{id}/referral_links`, promo codes as a plain array, referrals and commissions.
 * Not published: what a commission without `original_sale_currency` is in, and the unit of its amounts. The fields of a referral
 * link beyond `url` and `ref_token` stand to reason.
 */
export type FirstPromoterData = {
  promoters: object[];
  links: Record<string, object[]>;
  promoCodes: object[];
  referrals: object[];
  commissions: object[];
};

export function promoter(id: number, email: string, more: object = {}) {
  return {
    id,
    email,
    name: 'John Doe',
    default_ref_id: `john${id}`,
    profile: {
      id,
      first_name: 'John',
      last_name: 'Doe',
      country: 'US',
      vat_id: null,
      paypal_email: 'john@paypal.test',
    },
    w8_form_url: null,
    parent_promoter_id: null,
    promoter_campaigns: [
      {
        id: id * 10,
        campaign_id: 1,
        promoter_id: id,
        campaign: { id: 1, name: 'Main', color: '#fff' },
        state: 'accepted',
        ref_token: `john${id}`,
        ref_link: `https://acme.test/?fpr=john${id}`,
      },
    ],
    ...more,
  };
}

export function referral(id: number, promoterId: number, more: object = {}) {
  return {
    id,
    email: `referral${id}@customer.test`,
    uid: `user-${id}`,
    state: 'active',
    metadata: {},
    created_at: '2023-11-07T05:31:56Z',
    customer_since: '2023-11-07T05:31:56Z',
    promoter_campaign: { id: promoterId * 10, campaign_id: 1, promoter_id: promoterId, promoter: { id: promoterId } },
    ...more,
  };
}

export function commission(id: number, promoterId: number, amount: number, more: object = {}) {
  return {
    id,
    status: 'approved',
    unit: 'cash',
    amount,
    sale_amount: amount * 5,
    original_sale_amount: amount * 5,
    original_sale_currency: 'USD',
    is_paid: false,
    is_self_referral: false,
    event_id: `ch_${id}`,
    metadata: {},
    fraud_check: 'no_suspicion',
    commission_type: 'sale',
    created_at: '2023-11-07T05:31:56Z',
    referral: { id: 1, uid: 'user-1', email: 'referral1@customer.test' },
    promoter_campaign: { id: promoterId * 10, promoter_id: promoterId },
    ...more,
  };
}

export function fakeFirstPromoter(data: FirstPromoterData): FakeTool {
  return new FakeTool({
    isAllowed: ({ authorization, 'account-id': account }) =>
      authorization === 'Bearer fp-key' && account === 'fp-account',
    answer: ({ path, query }) => {
      const [, promoterId] = /^\/promoters\/(\d+)\/referral_links$/.exec(path) ?? [];
      if (promoterId) return data.links[promoterId];
      const page = (rows: object[]) => numbered(rows, query, 'per_page', 20);
      if (path === '/promoters') return { data: page(data.promoters), meta: { total_count: data.promoters.length } };
      if (path === '/promo_codes') return data.promoCodes;
      if (path === '/referrals') return page(data.referrals);
      return path === '/commissions' ? page(data.commissions) : undefined;
    },
  });
}

export const FIRSTPROMOTER_ENV = { FIRSTPROMOTER_API_KEY: 'fp-key', FIRSTPROMOTER_ACCOUNT_ID: 'fp-account' };
