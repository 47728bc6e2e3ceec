import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { addEarning, type EarningState, emptyReading, type Reading, stripeId } from '../reading.ts';
import { type About, codeIn, nameOf, numberedPage, type Rows, type Tool } from '../tool.ts';
import { unitOf } from '../unit.ts';

const PARAMETERS = ['fpr', '_get'];

const id = z.union([z.int(), z.string()]).transform(String);
const metadata = z.record(z.string(), z.unknown()).nullish();

const promoter = z.object({
  id,
  email: z.string(),
  name: z.string().nullish(),
  profile: z.object({ first_name: z.string().nullish(), last_name: z.string().nullish() }).nullish(),
  default_ref_id: z.string().nullish(),
  archived_at: z.string().nullish(),
  promoter_campaigns: z
    .array(
      z.object({
        ref_token: z.string().nullish(),
        ref_link: z.string().nullish(),
        state: z.string().nullish(),
        id: id.nullish(),
      }),
    )
    .nullish(),
});

const link = z.object({
  id: id.nullish(),
  url: z.string().nullish(),
  ref_link: z.string().nullish(),
  ref_token: z.string().nullish(),
});

const of = z.object({ id: id.nullish(), promoter_id: id.nullish(), promoter: z.object({ id }).nullish() }).nullish();

const promoCode = z.object({ id, code: z.string(), promoter_campaign_id: id.nullish(), promoter_campaign: of });

const referral = z.object({
  id,
  email: z.string().nullish(),
  uid: z.string().nullish(),
  metadata,
  created_at: z.string(),
  promoter_campaign: of,
});

const commission = z.object({
  id,
  status: z.string(),
  unit: z.string().nullish(),
  amount: z.number(),
  sale_amount: z.number().nullish(),
  original_sale_amount: z.number().nullish(),
  original_sale_currency: z.string().nullish(),
  is_paid: z.boolean().nullish(),
  event_id: z.string().nullish(),
  metadata,
  referral: z.object({ id: id.nullish(), uid: z.string().nullish(), email: z.string().nullish() }).nullish(),
  promoter_campaign: of,
});

type Promoter = z.infer<typeof promoter>;
type Link = z.infer<typeof link> & { parent: string };
type PromoCode = z.infer<typeof promoCode>;
type Referral = z.infer<typeof referral>;
type Commission = z.infer<typeof commission>;

const page = (body: unknown, path: string) => numberedPage(rowsIn(body), path);

/** https://docs.firstpromoter.com/api-reference-v2: some lists are arrays, some are in `data`. Amounts are in a unit it does not name. */
export const firstpromoter: Tool = {
  title: 'FirstPromoter',
  apiUrl: 'https://api.firstpromoter.com/api/v2/company',
  secrets: [
    { env: 'FIRSTPROMOTER_API_KEY', what: 'a key of Settings, Integrations, Manage API keys of FirstPromoter' },
    { env: 'FIRSTPROMOTER_ACCOUNT_ID', what: 'the account id of Settings, Integrations of FirstPromoter' },
  ],
  headers: ([key = '', account = '']) => ({ Authorization: `Bearer ${key}`, 'Account-ID': account }),
  // Published: 400 a minute.
  limit: { requests: 360, seconds: 60 },
  parameters: PARAMETERS,
  lists: [
    { name: 'promoters', row: promoter, path: () => '/promoters?per_page=100&page=1', page },
    {
      name: 'referral links',
      row: link,
      path: (promoterId) => `/promoters/${encodeURIComponent(promoterId)}/referral_links`,
      each: { row: 'promoters', id: ({ id: promoterId }: Promoter) => promoterId },
      page: whole,
      optional: true,
    },
    { name: 'promo codes', row: promoCode, path: () => '/promo_codes', page: whole, optional: true },
    { name: 'referrals', row: referral, path: () => '/referrals?per_page=100&page=1', page },
    { name: 'commissions', row: commission, path: () => '/commissions?per_page=100&page=1', page },
  ],
  toReading,
  notTakenOver: [
    'campaigns and rewards: set your terms with `svc terms`',
    'credits, points, free months and discounts, which are not money',
    'parent promoters: set the recruiter of a partner on their page',
    'payout methods and tax forms: partners enter theirs in the portal',
  ],
};

function rowsIn(body: unknown): unknown {
  return Array.isArray(body) ? body : (body as { data?: unknown } | undefined)?.data;
}

function whole(body: unknown) {
  const rows = rowsIn(body);
  return Array.isArray(rows) ? { rows, next: null } : undefined;
}

function toReading(rows: Rows, about: About): Reading {
  const reading = emptyReading();
  const promoters = rows<Promoter>('promoters');
  for (const each of promoters) addPromoter(reading, each);
  const taken = new Set(reading.partners.map((partner) => partner.id));
  for (const { parent, ref_token: token, url, ref_link: refLink } of rows<Link>('referral links')) {
    if (taken.has(parent)) addLink(reading, parent, token, url ?? refLink);
  }
  const campaigns = new Map(
    promoters.flatMap((each) => (each.promoter_campaigns ?? []).map(({ id: own }) => [own, each.id])),
  );
  for (const each of rows<PromoCode>('promo codes')) {
    const owner = promoterOf(each.promoter_campaign) ?? campaigns.get(each.promoter_campaign_id) ?? '';
    if (taken.has(owner)) reading.coupons.push({ partnerId: owner, code: each.code });
    else reading.leftOut.push({ kind: 'coupon', id: each.code, reason: 'its partner is not taken over' });
  }
  for (const each of rows<Referral>('referrals')) addReferral(reading, each);
  addCommissions(reading, rows<Commission>('commissions'), about);
  return reading;
}

const promoterOf = (campaign: z.infer<typeof of>) => campaign?.promoter?.id ?? campaign?.promoter_id ?? null;

function addPromoter(reading: Reading, row: Promoter): void {
  const { id: own, email, profile, default_ref_id: token } = row;
  const campaigns = row.promoter_campaigns ?? [];
  const states = campaigns.map(({ state }) => state ?? 'accepted');
  const isOut = row.archived_at
    ? 'archived'
    : states.length > 0 && !states.includes('accepted')
      ? states[0]
      : undefined;
  if (isOut) {
    reading.leftOut.push({ kind: 'partner', id: email, reason: `the promoter is ${isOut}` });
    return;
  }
  reading.partners.push({
    id: own,
    email,
    name: row.name?.trim() || nameOf([profile?.first_name, profile?.last_name], email),
  });
  for (const campaign of campaigns) addLink(reading, own, campaign.ref_token, campaign.ref_link);
  addLink(reading, own, token);
}

/** The same link can be listed for the promoter, for a campaign, and on its own. */
function addLink({ links }: Reading, partnerId: string, token?: string | null, address?: string | null): void {
  const found = codeIn(address, PARAMETERS);
  const code = found?.code ?? token;
  if (code) links.push({ partnerId, parameter: found?.parameter ?? 'fpr', code, address: address ?? undefined });
}

function addReferral({ customers }: Reading, { id: own, uid, email, metadata: more, ...row }: Referral): void {
  const told = more?.stripe_customer_id ?? more?.customer_id;
  const processorId = stripeId(uid) ?? (typeof told === 'string' ? stripeId(told) : undefined);
  const partnerId = promoterOf(row.promoter_campaign);
  customers.push({ partnerId, id: uid || own, processorId, email: email ?? undefined, firstSeenAt: row.created_at });
}

const isCash = ({ unit }: Commission) => (unit ?? 'cash') === 'cash';

function addCommissions(reading: Reading, commissions: Commission[], { currency, knownSale }: About): void {
  checkCurrency(commissions, currency);
  const samples = commissions.filter(isCash).map((row) => ({
    ids: [row.id, row.event_id, row.referral?.uid, row.referral?.email].filter((each) => each != null),
    saleAmount: row.sale_amount ?? 0,
    amounts: [row.amount, row.sale_amount ?? 0],
  }));
  const unit = unitOf('FirstPromoter', samples, currency, knownSale);
  for (const row of commissions) {
    const { id: own, amount, status } = row;
    if (!isCash(row)) {
      reading.leftOut.push({ kind: 'commission', id: own, reason: `it is in ${row.unit}, which is not money` });
      continue;
    }
    addEarning(
      reading,
      { id: own, partnerId: promoterOf(row.promoter_campaign), amount, currency, status },
      stateOf(row),
      unit,
    );
  }
}

function stateOf({ status, is_paid: isPaid }: Commission): EarningState | undefined {
  if (status === 'approved') return isPaid ? 'paid' : 'approved';
  return status === 'pending' ? 'pending' : undefined;
}

/** Commissions are in the currency of the account. A sale in that currency was not converted. */
function checkCurrency(commissions: Commission[], currency: string): void {
  const converted = commissions.find(
    ({ original_sale_currency: original, original_sale_amount: before, sale_amount: after }) =>
      original?.toUpperCase() === currency && before != null && after != null && before !== after,
  );
  if (!converted) return;
  throw new Failure(
    `FirstPromoter converted commission ${converted.id} from ${currency}, so its account is in another currency.`,
    {
      code: 'currency_disagrees',
      hint: 'Pass --currency with the currency of your FirstPromoter account.',
    },
  );
}
