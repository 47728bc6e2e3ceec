import { z } from 'zod';
import { addEarning, type EarningState, emptyReading, type Reading, stripeId } from '../reading.ts';
import { numberedPage, type Page, type Rows, type Tool, withParameter } from '../tool.ts';

const partner = z.object({
  id: z.string(),
  name: z.string().nullish(),
  email: z.string().nullable(),
  status: z.string(),
  links: z.array(z.object({ key: z.string(), shortLink: z.string().nullish(), url: z.string().nullish() })).nullish(),
});

const customer = z.object({
  id: z.string(),
  externalId: z.string().nullish(),
  stripeCustomerId: z.string().nullish(),
  email: z.string().nullish(),
  createdAt: z.string(),
  partner: z.object({ id: z.string() }).nullish(),
});

const commission = z.object({
  id: z.string(),
  earnings: z.number(),
  currency: z.string(),
  status: z.string(),
  partner: z.object({ id: z.string() }).nullish(),
});

type Partner = z.infer<typeof partner>;
type Customer = z.infer<typeof customer>;
type Commission = z.infer<typeof commission>;

const STATES: Record<string, EarningState> = {
  pending: 'pending',
  hold: 'pending',
  processed: 'approved',
  paid: 'paid',
};

/** https://dub.co/docs/api-reference: lists are arrays. Partners have numbered pages, the others a cursor. */
export const dub: Tool = {
  title: 'Dub',
  apiUrl: 'https://api.dub.co',
  secrets: [{ env: 'DUB_API_KEY', what: 'a key of Settings, API keys of your workspace at Dub' }],
  headers: ([key = '']) => ({ Authorization: `Bearer ${key}` }),
  limit: { requests: 60, seconds: 60 },
  parameters: ['via'],
  lists: [
    { name: 'partners', row: partner, path: () => '/partners?pageSize=100&page=1', page: numberedPage },
    {
      name: 'customers',
      row: customer,
      path: () => '/customers?includeExpandedFields=true&pageSize=100',
      page: cursorPage,
    },
    { name: 'commissions', row: commission, path: () => '/commissions?pageSize=100', page: cursorPage },
  ],
  toReading,
  notTakenOver: [
    'rewards and groups: set your terms with `svc terms`',
    'addresses on Dub’s own hosts: only those on your own host can be moved',
    'payout methods: partners enter theirs in the portal',
  ],
};

function cursorPage(body: unknown, path: string): Page | undefined {
  if (!Array.isArray(body)) return undefined;
  const last = body.at(-1) as { id: string } | undefined;
  return { rows: body, next: last ? withParameter(path, 'startingAfter', last.id) : null };
}

function toReading(rows: Rows): Reading {
  const reading = emptyReading();
  for (const { id, name, email, status, links } of rows<Partner>('partners')) {
    if (status !== 'approved' || !email) {
      const reason = email ? `the partner is ${status}` : 'the partner has no email address';
      reading.leftOut.push({ kind: 'partner', id: email ?? id, reason });
      continue;
    }
    reading.partners.push({ id, email, name: name?.trim() || email });
    for (const { key, shortLink, url } of links ?? []) {
      const [address, destination] = [shortLink ?? undefined, url ?? undefined];
      reading.links.push({ partnerId: id, parameter: 'via', code: key, address, destination });
    }
  }
  for (const row of rows<Customer>('customers')) {
    reading.customers.push({
      partnerId: row.partner?.id ?? null,
      id: row.externalId || row.id,
      processorId: stripeId(row.stripeCustomerId),
      email: row.email ?? undefined,
      firstSeenAt: row.createdAt,
    });
  }
  for (const { id, earnings, currency, status, partner: of } of rows<Commission>('commissions')) {
    addEarning(reading, { id, partnerId: of?.id ?? null, amount: earnings, currency, status }, STATES[status]);
  }
  return reading;
}
