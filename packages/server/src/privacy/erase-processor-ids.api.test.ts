import { PROCESSORS, type ProcessorName } from '@svc/contract';
import { everythingStored, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { type Sent, SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { newId, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

type Person = { customerId: number; identifiers: string[] };

/** How ids of customers begin where the processor has a say in it. */
const PREFIXES: Partial<Record<ProcessorName, string>> = { stripe: 'cus', paddle: 'ctm' };

/** Somebody who clicked, signed up, subscribed, renewed and got money back, all of it reported by a processor. */
async function payer(made: OwnedProgram, processor: ProcessorName): Promise<Person> {
  const shop = SHOPS[processor](service);
  await shop.connect(made);
  const key = newId('jane-doe');
  const email = `${key}@people.test`;
  const clickId = await service.clickId(made.link);
  await service.lead({ click_id: clickId, customer_key: key, email }, { key: made.apiKey });
  const [customer, subscription] = [newId(PREFIXES[processor] ?? 'buyer'), newId('sub')];
  const start = shop.payFor(subscription, 'start', { key, customer });
  await deliver(made, [...start.events, ...shop.describeCustomer(customer, key)]);
  service.advance({ days: 30 });
  const renewal = shop.payFor(subscription, 'cycle', { customer, cents: 2_000 });
  const once = shop.pay({ customer, key, cents: 700 });
  const { opened } = shop.dispute(once, 700);
  await deliver(made, [...renewal.events, ...once.events, ...shop.refund(start, 1_000), ...opened]);
  return {
    customerId: customerIdOf(clickId),
    identifiers: [key, email, clickId, await customerAt(processor, customerIdOf(clickId))],
  };
}

/** The processor's id of the customer, as it is stored. Lemon Squeezy's are numbers, whatever the test calls them. */
async function customerAt(processor: ProcessorName, customerId: number): Promise<string> {
  const start = {
    stripe: 'cus_',
    paddle: 'paddle:',
    polar: 'polar:customer:',
    lemonsqueezy: 'lemonsqueezy:',
    custom: 'custom:customer:',
  };
  const rows = await service.sql<{ id: string }>(
    'select reference as id from processor_identities where customer_id = $1',
    [customerId],
  );
  const own = rows.map(({ id }) => id).filter((id) => /cus_|ctm_|customer/.test(id));
  expect(own).toEqual([expect.stringMatching(new RegExp(`^${start[processor]}`))]);
  return own[0]!.slice(processor === 'stripe' ? 0 : start[processor].length).replace('ls_customer_', '');
}

const subscriptionsOf = ({ program }: OwnedProgram) =>
  service.sql('select subscription_id from processor_subscriptions where program_id = $1', [program.id]);

async function deliver({ program }: OwnedProgram, events: Sent[]): Promise<void> {
  for (const event of events) {
    expect((await event.send(program.id)).status).toBe(200);
    await settle(service);
  }
}

/** Which of the identifiers are stored anywhere, also within encrypted contents. */
async function found(identifiers: string[]): Promise<string[]> {
  const stored = (await everythingStored(service)).toLowerCase();
  const sealed = await service.sql<{ text: string }>(
    'select payload_sealed as text from processor_events where payload_sealed is not null',
  );
  const opened = sealed.map(({ text }) => service.ctx.encryption.open(text)).join('\n');
  return identifiers.filter((one) => stored.includes(one.toLowerCase()) || opened.includes(one));
}

const sums = ({ program }: OwnedProgram) =>
  service.sql(
    `select count(*) as sales, sum(amount_cents)::int as amount, sum(refunded_cents)::int as refunded from sales
     where program_id = $1`,
    [program.id],
  );

it.each(PROCESSORS)('leaves no identifier of an erased customer of %s, and everything of others', async (processor) => {
  const [made, elsewhere] = [await ownedProgram(service), await ownedProgram(service)];
  const [jane, other] = [await payer(made, processor), await payer(elsewhere, processor)];
  const before = await sums(made);
  // The address itself is stored nowhere.
  expect(await found(jane.identifiers)).toEqual(
    expect.arrayContaining([jane.identifiers[0], ...jane.identifiers.slice(2)]),
  );
  expect(await subscriptionsOf(made)).toHaveLength(1);
  const kept = await found(other.identifiers);
  const { status } = await asOwner(service, made, 'POST', `/customers/${jane.customerId}/erase`, {});
  expect(status).toBe(200);
  expect(await found(jane.identifiers)).toEqual([]);
  expect(await subscriptionsOf(made)).toEqual([]);
  expect(await found(other.identifiers)).toEqual(kept);
  expect(await subscriptionsOf(elsewhere)).toHaveLength(1);
  expect(await sums(made)).toEqual(before);
});
