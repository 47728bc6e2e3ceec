import type { Data, Row } from '../src/api/client.ts';
import type { Performance } from '../src/ui/charts/metrics.tsx';
import type { Commission } from '../src/ui/records/commission-columns.tsx';
import type { Customer } from '../src/ui/records/customer-columns.tsx';
import type { Sale } from '../src/ui/records/sale-columns.tsx';

/** When everything on the page happened, roughly. */
export const AT = '2026-03-09T14:30:00.000Z';
export const LONG_NAME = 'Wilhelmina Featherstonehaugh-Cholmondeley of the Northern Lights Newsletter';
export const LONG_WORD = 'cus_9f3c1b7e5d2a4f6880c1e2d3b4a5968778695a4b3c2d1e0f';

export const NUMBERS: Row<'manageLinks'>['numbers'] = {
  clicks: 12_480,
  leads: 640,
  sales: 87,
  money: [
    { currency: 'USD', revenue_cents: 1_284_050, commission_cents: 256_810, payable_cents: 98_000 },
    { currency: 'EUR', revenue_cents: 40_000, commission_cents: 8_000, payable_cents: 0 },
  ],
};
export const NO_NUMBERS: typeof NUMBERS = { clicks: 1, leads: 0, sales: 0, money: [] };

type Partner = Row<'managePartners'>;
const partner: Omit<Partner, 'id' | 'name'> = {
  email: 'ann@partners.test',
  status: 'active',
  has_account: true,
  account_changed_at: null,
  group_id: 1,
  group_name: 'Default',
  group_by: 'hand',
  recruiter_id: null,
  external_id: null,
  created_at: AT,
  numbers: NUMBERS,
  last_30_days: { clicks: 0, leads: 0, sales: 0 },
};
export const PARTNERS: Partner[] = [
  { ...partner, id: 1, name: 'Ann Baker' },
  { ...partner, id: 2, name: 'Łukasz Müller', numbers: NO_NUMBERS },
  { ...partner, id: 3, name: LONG_NAME },
];
export const APPLICANT: Partner = { ...partner, id: 4, name: 'Cleo Diaz', status: 'applied' };
export const partnerDetails: Omit<Data<'managePartner'>, keyof Partner> = {
  payout_method: null,
  undeliverable: false,
  invitation: null,
  answers: [],
  agreements: [],
};

export const CUSTOMERS: Customer[] = (['click', 'lead', 'conversion'] as const).map((status, index) => ({
  id: index + 1,
  click_id: `click_${index + 1}`,
  customer_key: status === 'click' ? null : `customer_${index + 1}`,
  status,
  partner_id: 1,
  partner_name: 'Ann Baker',
  sub: null,
  email_masked: null,
  created_at: AT,
}));

const sale: Sale = {
  id: 1,
  transaction_id: 'order_1001',
  customer_id: 1,
  customer_key: 'customer_1',
  partner_id: 1,
  partner_name: 'Ann Baker',
  sub: null,
  amount_cents: 12_000,
  tax_cents: null,
  shipping_cents: null,
  commission_base: 'net',
  base_cents: 12_000,
  terms_version: 1,
  currency: 'USD',
  status: 'recorded',
  refunded_cents: 0,
  disputed_cents: 0,
  commission_id: 1,
  commission_cents: 2_400,
  commission_deducted_cents: 0,
  commission_currency: 'USD',
  commission_status: 'pending',
  created_at: AT,
};
export const SALES: Sale[] = [
  sale,
  { ...sale, id: 2, transaction_id: 'order_1002', tax_cents: 1_900, shipping_cents: 500, base_cents: 9_600 },
  {
    ...sale,
    id: 3,
    transaction_id: LONG_WORD,
    status: 'partially_refunded',
    refunded_cents: 5_000,
    disputed_cents: 2_000,
  },
  { ...sale, id: 4, transaction_id: 'order_1004', status: 'refunded', refunded_cents: 12_000, currency: 'JPY' },
];

const commission: Commission = {
  id: 1,
  kind: 'sale',
  sale_id: 1,
  transaction_id: 'order_1001',
  customer_id: 1,
  customer_key: 'customer_1',
  partner_id: 1,
  partner_name: 'Ann Baker',
  status: 'pending',
  stage: 'pending',
  sale_cents: 12_000,
  sale_currency: 'USD',
  commission_type: 'percent',
  commission_rate: 20,
  commission_cents: 2_400,
  base_cents: 12_000,
  terms_version: 1,
  rule: 1,
  terms: 'rule 1 of version 1: 20% of each sale, not of renewals',
  reason: null,
  deducted_cents: 0,
  currency: 'USD',
  approve_after: '2026-04-08T14:30:00.000Z',
  hold_reason: null,
  rejection_reason: null,
  payout_id: null,
  paid_at: null,
  created_at: AT,
};
const noSale = { sale_id: null, transaction_id: null, customer_id: null, customer_key: null };
export const COMMISSIONS: Commission[] = [
  commission,
  { ...commission, id: 2, transaction_id: 'order_1002', approve_after: AT },
  { ...commission, id: 3, transaction_id: 'order_1003', hold_reason: 'self_referral' },
  { ...commission, id: 4, transaction_id: 'order_1004', hold_reason: 'email_from_page' },
  { ...commission, id: 10, transaction_id: 'order_1010', hold_reason: 'claimed_key' },
  { ...commission, id: 11, transaction_id: 'order_1011', hold_reason: 'partner_blocked' },
  { ...commission, id: 5, transaction_id: 'order_1005', status: 'approved', stage: 'approved', payout_id: 7 },
  {
    ...commission,
    id: 6,
    ...noSale,
    kind: 'bonus',
    reason: 'Spring campaign',
    status: 'paid',
    stage: 'paid',
    payout_id: 7,
    paid_at: AT,
  },
  {
    ...commission,
    id: 7,
    transaction_id: 'order_1007',
    status: 'partially_reversed',
    stage: 'approved',
    deducted_cents: 1_000,
  },
  { ...commission, id: 8, transaction_id: 'order_1008', status: 'reversed', deducted_cents: 2_400 },
  {
    ...commission,
    id: 9,
    transaction_id: 'order_1009',
    status: 'rejected',
    stage: 'rejected',
    rejection_reason: 'The order was placed by an employee.',
  },
];

const NO_CHANGE = { clicks: null, leads: null, sales: null, money: [] };

/** A report over these numbers of clicks, one for each day of March. */
export function reportOf(clicks: readonly number[], previous: readonly number[] = []): Performance {
  const numbersOf = (count: number) => ({
    clicks: count,
    leads: Math.floor(count / 8),
    sales: Math.floor(count / 20),
    money: [
      { currency: 'USD', revenue_cents: count * 310, refunded_cents: 0, commission_cents: count * 62 },
      { currency: 'EUR', revenue_cents: count * 10, refunded_cents: 0, commission_cents: count * 2 },
    ],
  });
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const days = (month: string, counts: readonly number[]) =>
    counts.map((count, index) => {
      const date = `2026-${month}-${String(index + 1).padStart(2, '0')}`;
      return { ...numbersOf(count), date, last_date: date };
    });
  return {
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-13T00:00:00.000Z',
    totals: numbersOf(sum(clicks)),
    previous: numbersOf(sum(previous)),
    change: NO_CHANGE,
    funnel: { clicks: sum(clicks), leads: Math.floor(sum(clicks) / 8), first_sales: Math.floor(sum(clicks) / 25) },
    interval: 'day',
    series: days('03', clicks).map((day, index) => ({ ...day, is_finished: index < clicks.length - 1 })),
    previous_series: days('02', previous),
    groups: [],
  };
}
