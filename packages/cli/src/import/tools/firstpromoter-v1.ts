import { z } from 'zod';
import { centsOf, type Unit } from '../money.ts';
import { addEarning, type Earning, type EarningState, emptyReading, type Reading, stripeId } from '../reading.ts';
import { type About, codeIn, nameOf, numberedPage, type Rows, type Tool } from '../tool.ts';
import { unitOf } from '../unit.ts';
import { firstpromoter } from './firstpromoter.ts';

const { parameters, limit, notTakenOver } = firstpromoter;

const id = z.union([z.int(), z.string()]).transform(String);
const balance = z.object({ cash: z.number().nullish() }).nullish();

const promoter = z.object({
  id,
  email: z.string(),
  status: z.string().nullish(),
  profile: z.object({ first_name: z.string().nullish(), last_name: z.string().nullish() }).nullish(),
  default_ref_id: z.string().nullish(),
  current_balance: balance,
  paid_balance: balance,
  promotions: z
    .array(
      z.object({ ref_id: z.string().nullish(), referral_link: z.string().nullish(), promo_code: z.string().nullish() }),
    )
    .nullish(),
});

const promoterOf = {
  promoter: z.object({ id }).nullish(),
  promotion: z.object({ promoter_id: id.nullish() }).nullish(),
};

const lead = z.object({
  id,
  uid: id.nullish(),
  email: z.string().nullish(),
  created_at: z.string().nullish(),
  customer_since: z.string().nullish(),
  ...promoterOf,
});

const reward = z.object({
  id,
  status: z.string(),
  unit: z.string().nullish(),
  amount: z.number(),
  conversion_amount: z.number().nullish(),
  event_id: id.nullish(),
  lead: z.object({ uid: id.nullish(), email: z.string().nullish() }).nullish(),
  ...promoterOf,
});

type Promoter = z.infer<typeof promoter>;
type Lead = z.infer<typeof lead>;
type Reward = z.infer<typeof reward>;

const page = (body: unknown, path: string) => numberedPage(body, path);

/**
 * https://docs.firstpromoter.com/api-reference-v1: lists are arrays, amounts in cents. It does not say which commissions were paid,
 * only how much was paid to each promoter.
 */
export const firstpromoterV1: Tool = {
  title: 'FirstPromoter',
  apiUrl: 'https://firstpromoter.com/api/v1',
  secrets: [{ env: 'FIRSTPROMOTER_API_KEY', what: 'the API key of the Settings page of FirstPromoter' }],
  headers: ([key = '']) => ({ 'X-API-KEY': key }),
  limit,
  parameters,
  lists: [
    { name: 'promoters', row: promoter, path: () => '/promoters/list?page=1', page },
    { name: 'leads', row: lead, path: () => '/leads/list?page=1', page },
    { name: 'rewards', row: reward, path: () => '/rewards/list?page=1', page },
  ],
  toReading,
  notTakenOver,
};

const ownerOf = ({ promoter: known, promotion }: Lead | Reward) => known?.id ?? promotion?.promoter_id ?? null;

function toReading(rows: Rows, about: About): Reading {
  const reading = emptyReading();
  const promoters = rows<Promoter>('promoters');
  const taken = promoters.filter((each) => addPromoter(reading, each));
  for (const each of rows<Lead>('leads')) {
    reading.customers.push({
      partnerId: ownerOf(each),
      id: each.uid || each.id,
      processorId: stripeId(each.uid),
      email: each.email ?? undefined,
      firstSeenAt: each.created_at ?? each.customer_since ?? undefined,
    });
  }
  addRewards(reading, rows<Reward>('rewards'), taken, about);
  return reading;
}

const REFUSED = ['pending', 'denied', 'rejected', 'blocked', 'archived'];

/** Adds the promoter with their links and codes, and says whether they are taken over. */
function addPromoter({ partners, links, coupons, leftOut }: Reading, row: Promoter): boolean {
  const { id: own, email, profile, status, default_ref_id: token } = row;
  if (status && REFUSED.includes(status)) {
    leftOut.push({ kind: 'partner', id: email, reason: `the promoter is ${status}` });
    return false;
  }
  partners.push({ id: own, email, name: nameOf([profile?.first_name, profile?.last_name], email) });
  for (const { ref_id: refId, referral_link: address, promo_code: code } of row.promotions ?? []) {
    const found = codeIn(address, parameters) ?? (refId ? { parameter: 'fpr', code: refId } : undefined);
    if (found) links.push({ partnerId: own, ...found, address: address ?? undefined });
    if (code) coupons.push({ partnerId: own, code });
  }
  if (token) links.push({ partnerId: own, parameter: 'fpr', code: token });
  return true;
}

const isCash = ({ unit }: Reward) => (unit ?? 'cash') === 'cash';

/** Adds what each promoter has earned. Rewards of promoters who are not taken over stay as they are, so that the report counts them. */
function addRewards(reading: Reading, rewards: Reward[], promoters: Promoter[], { currency, knownSale }: About): void {
  const samples = rewards.filter(isCash).map((row) => ({
    ids: [row.id, row.event_id, row.lead?.uid, row.lead?.email].filter((each) => each != null),
    saleAmount: row.conversion_amount ?? 0,
    amounts: [row.amount, row.conversion_amount ?? 0],
  }));
  const unit: Unit = knownSale ? unitOf('FirstPromoter', samples, currency, knownSale) : 'smallest';
  for (const row of rewards) {
    const { id: own, amount, status } = row;
    const state = status === 'approved' || status === 'pending' ? status : undefined;
    if (isCash(row)) addEarning(reading, { id: own, partnerId: ownerOf(row), amount, currency, status }, state, unit);
    else reading.leftOut.push({ kind: 'commission', id: own, reason: `it is in ${row.unit}, which is not money` });
  }
  const byPromoter = new Map(promoters.map((each) => [each.id, { each, own: [] as Earning[] }]));
  const others = reading.earnings.filter((earning) => !byPromoter.get(earning.partnerId ?? '')?.own.push(earning));
  reading.earnings = others;
  for (const { each, own } of byPromoter.values()) addBalance(reading, each, own, { currency, unit });
}

/** What was paid is taken from what was approved. Together they have to come to the balance that the tool has for the promoter. */
function addBalance(
  { earnings, leftOut }: Reading,
  { id: partnerId, email, current_balance: current, paid_balance: settled }: Promoter,
  own: Earning[],
  { currency, unit }: { currency: string; unit: Unit },
): void {
  const sum = (of: EarningState) => own.reduce((total, { state, cents }) => total + (state === of ? cents : 0), 0);
  const centsIn = (balance: Promoter['paid_balance']) => centsOf(balance?.cash ?? 0, currency, unit).cents;
  const [pending, approved, paid] = [sum('pending'), sum('approved'), centsIn(settled)];
  const due = approved - (paid ?? 0);
  // Whether the balance counts what is not approved yet is not published.
  if (paid === null || ![due, due + pending].includes(centsIn(current) ?? Number.NaN)) {
    const reason = 'their balance is not what was approved less what was paid: settle it in FirstPromoter';
    leftOut.push({ kind: 'commission', id: email, reason });
    return;
  }
  for (const [state, cents] of Object.entries({ pending, approved: due, paid }) as [EarningState, number][]) {
    if (cents !== 0) earnings.push({ partnerId, id: `${state} of ${email}`, state, currency, cents });
  }
}
