import { z } from 'zod';
import { addEarning, type EarningState, emptyReading, type Reading, stripeId } from '../reading.ts';
import { codeIn, nameOf, type Page, type Rows, type Tool, withParameter } from '../tool.ts';

const PARAMETERS = ['ps_partner_key', 'gspk'];

const partnership = z.object({
  key: z.string(),
  partner_key: z.string().nullish(),
  email: z.string(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  approved_status: z.string().nullish(),
  archived: z.boolean().nullish(),
});

const link = z.object({ key: z.string(), dest: z.string().nullish(), url: z.string().nullish() });

const customer = z.object({
  key: z.string(),
  customer_key: z.string().nullish(),
  provider_key: z.string().nullish(),
  email: z.string().nullish(),
  test: z.boolean().nullish(),
  partnership_key: z.string().nullish(),
  created_at: z.number(),
});

const reward = z.object({
  key: z.string(),
  amount: z.number(),
  currency: z.string(),
  reward_status: z.string(),
  decline_reason: z.string().nullish(),
  partnership: z.object({ key: z.string().nullish(), email: z.string().nullish() }).nullish(),
});

type Partnership = z.infer<typeof partnership>;
type Link = z.infer<typeof link> & { parent: string };
type Customer = z.infer<typeof customer>;
type Reward = z.infer<typeof reward>;

const STATES: Record<string, EarningState> = {
  hold: 'pending',
  pending: 'pending',
  scheduled: 'pending',
  approved: 'approved',
  paid: 'paid',
};

/** https://docs.partnerstack.com/reference: lists are in `data.items`, a cursor is the key of the last row, times are in milliseconds. */
export const partnerstack: Tool = {
  title: 'PartnerStack',
  apiUrl: 'https://api.partnerstack.com/api/v2',
  secrets: [
    { env: 'PARTNERSTACK_PUBLIC_KEY', what: 'the public key of Settings, Integrations, API keys of PartnerStack' },
    { env: 'PARTNERSTACK_SECRET_KEY', what: 'the secret key of Settings, Integrations, API keys of PartnerStack' },
  ],
  headers: ([name = '', secret = '']) => ({
    Authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
  }),
  limit: { requests: 60, seconds: 60 },
  parameters: PARAMETERS,
  lists: [
    { name: 'partnerships', row: partnership, path: () => '/partnerships?limit=100', page: pageOf },
    {
      name: 'links',
      row: link,
      path: (key) => `/links/partnership/${encodeURIComponent(key)}`,
      each: { row: 'partnerships', id: ({ key }: Partnership) => key },
      page: pageOf,
      optional: true,
    },
    { name: 'customers', row: customer, path: () => '/customers?limit=100', page: pageOf },
    { name: 'rewards', row: reward, path: () => '/rewards?limit=100', page: pageOf },
  ],
  toReading,
  notTakenOver: [
    'triggers, groups and their terms, which its API does not hand over: set them with `svc terms`',
    'addresses on PartnerStack’s own hosts: only those on your own host can be moved',
    'payout methods and tax forms: partners enter theirs in the portal',
  ],
};

function pageOf(body: unknown, path: string): Page | undefined {
  const { items, has_more: hasMore } =
    (body as { data?: { items?: { key: string }[]; has_more?: boolean } } | undefined)?.data ?? {};
  if (!Array.isArray(items)) return undefined;
  const after = items.at(-1)?.key;
  // The links of a partnership are one page.
  const hasNext = path.includes('limit=') && hasMore !== false && after;
  return { rows: items, next: hasNext ? withParameter(path, 'starting_after', after) : null };
}

function toReading(rows: Rows): Reading {
  const reading = emptyReading();
  const partnerships = rows<Partnership>('partnerships');
  for (const each of partnerships) addPartnership(reading, each);
  const taken = new Set(reading.partners.map(({ id }) => id));
  for (const { parent, key, dest, url } of rows<Link>('links')) {
    if (!taken.has(parent)) continue;
    const { parameter = 'ps_partner_key', code = key } = codeIn(url, PARAMETERS) ?? codeIn(dest, PARAMETERS) ?? {};
    reading.links.push({
      partnerId: parent,
      parameter,
      code,
      address: url ?? undefined,
      destination: dest ?? undefined,
    });
  }
  for (const row of rows<Customer>('customers')) addCustomer(reading, row);
  const byEmail = new Map(partnerships.map(({ email, key }) => [email.toLowerCase(), key]));
  for (const { key, amount, currency, reward_status: status, partnership: of } of rows<Reward>('rewards')) {
    const partnerId = of?.key ?? byEmail.get(of?.email?.toLowerCase() ?? '') ?? null;
    addEarning(reading, { id: key, partnerId, amount, currency, status }, STATES[status]);
  }
  return reading;
}

function addPartnership({ partners, links, leftOut }: Reading, row: Partnership): void {
  const { key, email, partner_key: code, approved_status: status } = row;
  const isOut = row.archived ? 'archived' : status && status !== 'approved' ? status : undefined;
  if (isOut) {
    leftOut.push({ kind: 'partner', id: email, reason: `the partnership is ${isOut}` });
    return;
  }
  partners.push({ id: key, email, name: nameOf([row.first_name, row.last_name], email) });
  if (code) links.push({ partnerId: key, parameter: 'ps_partner_key', code });
}

function addCustomer({ customers, leftOut }: Reading, row: Customer): void {
  if (row.test) {
    leftOut.push({ kind: 'customer', id: row.key, reason: 'it is a test' });
    return;
  }
  customers.push({
    partnerId: row.partnership_key ?? null,
    id: row.customer_key || row.key,
    processorId: stripeId(row.provider_key),
    email: row.email ?? undefined,
    firstSeenAt: timeOf(row.created_at),
  });
}

function timeOf(milliseconds: number): string | undefined {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
