import { FakeTool, numbered } from './fake-tool.ts';

/**
 * From https://docs.firstpromoter.com/api-reference-v1: the key in `X-API-KEY`, promoters with their promotions and balances, leads
 * and rewards as plain arrays, amounts in cents. Its pages are described as links in headers; public code asks for `page`, and gets
 * 50 rows each.
 */
export type FirstPromoterV1Data = { promoters: object[]; leads: object[]; rewards: object[] };

type Balances = { current?: number; paid?: number };

export function promoter(id: number, email: string, { current, paid }: Balances, more: object = {}) {
  const cash = (amount: number | undefined) => (amount === undefined ? null : { cash: amount, credits: 300 });
  return {
    id,
    status: 'active',
    cust_id: null,
    email,
    created_at: '2024-09-11T14:20:50.403Z',
    default_promotion_id: id * 10,
    default_ref_id: `john${id}`,
    parent_promoter_id: null,
    earnings_balance: cash((current ?? 0) + (paid ?? 0)),
    current_balance: cash(current),
    paid_balance: cash(paid),
    profile: { id, first_name: 'John', last_name: 'Doe', country: null, paypal_email: null },
    promotions: [
      {
        id: id * 10,
        status: 'offer_running',
        ref_id: `john${id}`,
        promo_code: `JOHN${id}`,
        promoter_id: id,
        campaign_id: 26127,
        referral_link: `https://acme.test?fpr=john${id}`,
      },
    ],
    ...more,
  };
}

export function lead(id: number, promoterId: number, more: object = {}) {
  return {
    id,
    status: 'active',
    uid: `user-${id}`,
    email: `lead${id}@customer.test`,
    customer_since: '2024-10-01T00:00:00.000Z',
    created_at: '2024-09-12T00:00:00.000Z',
    promotion: { id: promoterId * 10, promoter_id: promoterId },
    promoter: { id: promoterId },
    ...more,
  };
}

export function reward(id: number, promoterId: number, amount: number, more: object = {}) {
  return {
    id,
    status: 'approved',
    amount,
    unit: 'cash',
    created_at: '2024-10-01T00:00:00.000Z',
    conversion_amount: amount * 5,
    event_id: `ch_${id}`,
    tier_level: 1,
    lead: { id: 1, uid: 'user-1', email: 'lead1@customer.test' },
    promoter: { id: promoterId },
    promotion: { id: promoterId * 10, promoter_id: promoterId },
    ...more,
  };
}

export function fakeFirstPromoterV1(data: FirstPromoterV1Data): FakeTool {
  const lists = new Map(Object.entries(data).map(([name, rows]) => [`/${name}/list`, rows]));
  return new FakeTool({
    isAllowed: ({ 'x-api-key': key }) => key === 'fp-key',
    answer: ({ path, query }) => {
      const rows = lists.get(path);
      return rows && numbered(rows, query, 'per_page', 50);
    },
  });
}
