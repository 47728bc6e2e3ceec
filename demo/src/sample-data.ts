import type { Service } from '@svc/server/app';
import { approveCommissions } from '@svc/server/jobs/approve-commissions';
import { ApiCaller, type Session } from './api-caller.ts';
import { randomNumbers } from './random-numbers.ts';

const DAYS = 60;
const DAY_MS = 86_400_000;
const PRODUCTS_CENTS = [1_900, 4_900, 8_900, 12_900];

type SamplePartner = { name: string; email: string; links: string[]; share: number; method?: object };

/** Partners with the share of visitors that each one refers. Those who want to be paid somewhere have an account. */
const PARTNERS: SamplePartner[] = [
  {
    name: 'Jane Miller',
    email: 'jane@coffee-notes.example',
    links: ['coffee-notes', 'jane-newsletter'],
    share: 0.42,
    method: { kind: 'paypal', email: 'jane@coffee-notes.example', holder_kind: 'person', country: 'US' },
  },
  {
    name: 'Bean There Podcast',
    email: 'hello@bean-there.example',
    links: ['bean-there'],
    share: 0.3,
    method: {
      kind: 'us_bank',
      routing_number: '021000021',
      account_number: '5501274410',
      account_type: 'checking',
      holder_kind: 'company',
      country: 'US',
    },
  },
  {
    name: 'Slow Mornings',
    email: 'mia@slow-mornings.example',
    links: ['slow-mornings'],
    share: 0.18,
    method: { kind: 'wise', email: 'mia@slow-mornings.example', holder_kind: 'person', country: 'GB' },
  },
  { name: 'Crema Weekly', email: 'desk@crema-weekly.example', links: ['crema'], share: 0.1 },
];

export type SampleData = {
  programId: number;
  apiKey: string;
  brand: Session;
  partner: Session;
  /** A customer who clicked, signed up, bought twice and got a partial refund. */
  customerId: number;
};

type Clock = { set: (at: Date) => void };

/**
 * Adds two months of a program through the service's own API, advancing the clock to `until`. The number of visitors grows from day
 * to day; `visitorsShare` scales it.
 */
export async function addSampleData(
  service: Service,
  clock: Clock,
  until: Date,
  visitorsShare = 1,
): Promise<SampleData> {
  const api = new ApiCaller(service);
  const next = randomNumbers(7);
  const begin = until.getTime() - DAYS * DAY_MS;
  clock.set(new Date(begin));
  const brand = await api.signUp({ name: 'Robin Vale', email: 'robin@kettle-and-grain.example' });
  const created = await api.manage(brand, 'POST', '/programs', {
    name: 'Kettle & Grain partners',
    domain: 'kettle-and-grain.example',
  });
  const { id: programId, api_key: apiKey } = created.data;
  const program = `/programs/${programId}`;
  const ids: number[] = [];
  let partner: Session | undefined;
  for (const { name, email, links, method } of PARTNERS) {
    const { data } = await api.manage(brand, 'POST', `${program}/partners`, { name, email });
    ids.push(data.id);
    for (const short_link of links)
      await api.manage(brand, 'POST', `${program}/links`, { partner_id: data.id, short_link });
    if (!method) continue;
    const account = await api.signUp({ name, email });
    await api.manage(account, 'POST', '/invitations/accept', { token: data.invite_url.split('#')[1] });
    await api.manage(account, 'PUT', '/me/payout-method', { ...method, holder_name: name });
    partner ??= account;
  }

  const orders: string[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const visitors = Math.round((5 + day / 9 + next() * 6) * visitorsShare);
    for (let visitor = 0; visitor < visitors; visitor += 1) {
      const at = begin + day * DAY_MS + Math.floor((visitor / visitors) * DAY_MS * 0.95);
      clock.set(new Date(Math.min(at, until.getTime() - 60_000)));
      await visit(`${day}-${visitor}`);
    }
    if (day === 48) await payPartners();
    if (day % 9 === 8) await api.track('refund', apiKey, { transaction_id: orders.at(-2), refund_amount_cents: 900 });
  }
  clock.set(until);
  await approveCommissions.run(service.ctx);
  const customerId = await addOneJourney();
  return { programId, apiKey, brand, partner: partner as Session, customerId };

  async function visit(name: string): Promise<void> {
    const clicked = await api.track('click', null, {
      affiliate_url: `https://kettle-and-grain.example/?aff=${chooseLink(next())}`,
      page_url: 'https://kettle-and-grain.example/',
    });
    if (next() > 0.34) return;
    const key = `user_${name}`;
    await api.track('lead', apiKey, {
      click_id: clicked.click_id,
      customer_key: key,
      email: `guest${name}@mail.example`,
    });
    if (next() > 0.55) return;
    const amount = PRODUCTS_CENTS[Math.floor(next() * PRODUCTS_CENTS.length)];
    orders.push(`order_${name}`);
    await api.track('sale', apiKey, { transaction_id: `order_${name}`, customer_key: key, amount_cents: amount });
  }

  /** Pays the partners once, and refunds one of the paid sales afterwards. */
  async function payPartners(): Promise<void> {
    await approveCommissions.run(service.ctx);
    const made = await api.manage(brand, 'POST', `${program}/payouts`, {});
    const paid = made.data.slice(0, 2);
    const session = await api.signIn(brand);
    for (const { id } of paid) {
      await api.manage(session, 'POST', `${program}/payouts/${id}/mark-paid`, { reference: `SEPA-${4100 + id}` });
    }
    const whole = await api.manage(brand, 'GET', `${program}/payouts/${paid[0].id}`);
    await api.track('refund', apiKey, { transaction_id: whole.data.lines[0].transaction_id });
  }

  async function addOneJourney(): Promise<number> {
    const days = (count: number) => clock.set(new Date(until.getTime() - count * DAY_MS));
    days(6);
    const clicked = await api.track('click', null, {
      affiliate_url: 'https://kettle-and-grain.example/beans?aff=coffee-notes',
      page_url: 'https://kettle-and-grain.example/beans',
    });
    days(5.9);
    await api.track('lead', apiKey, {
      click_id: clicked.click_id,
      customer_key: 'user_ann',
      email: 'ann@mail.example',
    });
    await api.track('sale', apiKey, { transaction_id: 'order_ann_1', customer_key: 'user_ann', amount_cents: 8_900 });
    days(3);
    await api.track('sale', apiKey, { transaction_id: 'order_ann_2', customer_key: 'user_ann', amount_cents: 4_900 });
    days(1);
    await api.track('refund', apiKey, { transaction_id: 'order_ann_1', refund_amount_cents: 2_000, refund_id: 're_1' });
    clock.set(until);
    return Number(String(clicked.click_id).split('_')[1]);
  }
}

function chooseLink(at: number): string {
  let passed = 0;
  for (const { share, links } of PARTNERS) {
    passed += share;
    if (at < passed) return links[Math.floor(((passed - at) / share) * links.length)] ?? (links[0] as string);
  }
  return 'crema';
}
