import { z } from 'zod';
import { addEarning, type EarningState, emptyReading, type Reading, stripeId } from '../reading.ts';
import { type About, nameOf, type Page, type Rows, type Tool, withParameter } from '../tool.ts';

const owner = { partner_id: z.string().nullish(), partner: z.object({ id: z.string() }).nullish() };

const partner = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullish(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  status: z.string().nullish(),
});

const link = z.object({ id: z.string(), param: z.string(), value: z.string(), url: z.string().nullish(), ...owner });
const promotionCode = z.object({ id: z.string(), code: z.string(), ...owner });

const customer = z.object({
  id: z.string(),
  customer_id: z.string().nullish(),
  email: z.string().nullish(),
  created_at: z.string(),
  ...owner,
});

const commission = z.object({
  id: z.string(),
  // Strings, because they are stored as 64-bit numbers.
  amount: z.string().nullable(),
  currency: z.string().nullish(),
  status: z.string().nullable(),
  ...owner,
});

type Partner = z.infer<typeof partner>;
type Link = z.infer<typeof link>;
type PromotionCode = z.infer<typeof promotionCode>;
type Customer = z.infer<typeof customer>;
type Commission = z.infer<typeof commission>;

const STATES: Record<string, EarningState> = { pending: 'pending', approved: 'approved', paid: 'paid' };

/** https://docs.tolt.com/api-reference: cursors, and money as strings in the smallest unit. */
export const tolt: Tool = {
  title: 'Tolt',
  apiUrl: 'https://api.tolt.com/v2',
  secrets: [{ env: 'TOLT_API_KEY', what: 'the API key of Settings, Integrations of Tolt' }],
  headers: ([key = '']) => ({ Authorization: `Bearer ${key}` }),
  limit: { requests: 60, seconds: 60 },
  parameters: ['via', 'ref'],
  lists: [
    { name: 'partners', row: partner, path: () => '/partners?limit=100', page: pageOf },
    { name: 'links', row: link, path: () => '/links?limit=100', page: pageOf },
    {
      name: 'promotion codes',
      row: promotionCode,
      path: () => '/promotion-codes?limit=100',
      page: pageOf,
      optional: true,
    },
    { name: 'customers', row: customer, path: () => '/customers?limit=100', page: pageOf },
    { name: 'commissions', row: commission, path: () => '/commissions?limit=100', page: pageOf },
  ],
  toReading,
  notTakenOver: [
    'groups and commission flows: set your terms with `svc terms`',
    'payout methods: partners enter theirs in the portal',
    'clicks and statistics',
  ],
};

function pageOf(body: unknown, path: string): Page | undefined {
  const {
    data,
    has_more: hasMore,
    next_cursor: cursor,
  } = (body ?? {}) as { data?: { id: string }[]; has_more?: boolean; next_cursor?: string };
  if (!Array.isArray(data)) return undefined;
  const after = cursor ?? data.at(-1)?.id;
  return { rows: data, next: hasMore && after ? withParameter(path, 'starting_after', after) : null };
}

const ownerOf = ({ partner_id: id, partner: expanded }: Pick<Link, 'partner_id' | 'partner'>) =>
  id ?? expanded?.id ?? null;

function toReading(rows: Rows, { currency: usual }: About): Reading {
  const reading = emptyReading();
  for (const { id, email, name, status, ...row } of rows<Partner>('partners')) {
    if (status && status !== 'active')
      reading.leftOut.push({ kind: 'partner', id: email, reason: `the partner is ${status}` });
    else reading.partners.push({ id, email, name: name?.trim() || nameOf([row.first_name, row.last_name], email) });
  }
  for (const row of rows<Link>('links')) {
    reading.links.push({
      partnerId: ownerOf(row) ?? '',
      parameter: row.param,
      code: row.value,
      address: row.url ?? undefined,
    });
  }
  for (const row of rows<PromotionCode>('promotion codes')) {
    reading.coupons.push({ partnerId: ownerOf(row) ?? '', code: row.code });
  }
  for (const row of rows<Customer>('customers')) {
    const { id, customer_id: own, email, created_at: firstSeenAt } = row;
    const customerOf = { partnerId: ownerOf(row), id: own || id, processorId: stripeId(own) };
    reading.customers.push({ ...customerOf, email: email ?? undefined, firstSeenAt });
  }
  for (const row of rows<Commission>('commissions')) {
    const { id, amount, currency, status } = row;
    const found = {
      id,
      partnerId: ownerOf(row),
      amount: amount ?? '',
      currency: currency ?? usual,
      status: status ?? 'without a status',
    };
    addEarning(reading, found, STATES[status ?? '']);
  }
  return reading;
}
