import { createService } from '@svc/server/app';
import { readConfig } from '@svc/server/config';
import { insertEvent } from '@svc/server/payments/events/event-store';
import { processDueEvents } from '@svc/server/payments/events/process-due-events';
import { prepareFixtures } from '../fixtures.ts';
import { describeRates, rateOf } from '../load/send-sales.ts';
import type { Options, StoreKind } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { setUp } from '../service.ts';
import { type BenchStore, createStore } from '../store.ts';

/** How many payments the customers have already. */
const PAYMENTS = [10, 1_000, 5_000];
const EVENTS = 50;
const ROUNDS = 6;
const PROGRAMS = 20;
const QUEUED = 5_000;

type Inbox = {
  kind: StoreKind;
  version: string;
  rates: Map<number, number[]>;
  quietSeconds: number;
  allSeconds: number;
};

/** Measures how fast payment events are processed: of customers with more and more payments, and of twenty programs. */
export async function measureInbox(options: Options, print: (line: string) => void): Promise<string> {
  const measured: Inbox[] = [];
  for (const kind of options.stores) measured.push(await measure(kind, print));
  return writePage(measured);
}

async function measure(kind: StoreKind, print: (line: string) => void): Promise<Inbox> {
  const store = await createStore(kind);
  try {
    const setup = await setUp(store);
    const programIds = [setup.program_id];
    while (programIds.length < PROGRAMS) programIds.push((await setUp(store)).program_id);
    await prepareFixtures(store, setup, { visitors: 1, buyers: PAYMENTS.length });
    const rates = await measureCustomers(store, setup.program_id, print);
    const turns = await measureTurns(store, programIds, print);
    return { kind, version: store.version, rates, ...turns };
  } finally {
    await store.remove();
  }
}

/** The service without its HTTP server and jobs: only what stores and processes events. */
async function openInbox(store: BenchStore) {
  const service = await createService(readConfig(store.env), { runJobs: false, logTo: { write() {} } });
  const { ctx } = service;
  let made = 0;
  /** Stores the invoice of a renewal, as the webhook would. */
  const queue = (programId: number, customer: string) => {
    made += 1;
    const created = Math.floor(Date.now() / 1000);
    const object = {
      id: `in_${programId}_${customer}_${made}`,
      object: 'invoice',
      status: 'paid',
      status_transitions: { paid_at: created },
      amount_paid: 5_000,
      total: 5_000,
      currency: 'usd',
      customer: `cus_${customer}`,
      billing_reason: 'subscription_cycle',
      parent: { subscription_details: { subscription: `sub_${customer}`, metadata: { svc_customer_key: customer } } },
    };
    const event = { id: `evt_${programId}_${made}`, type: 'invoice.paid', created, livemode: true, data: { object } };
    const happenedAt = new Date(created * 1000);
    const stored = {
      programIds: [programId],
      provider: 'stripe' as const,
      eventId: event.id,
      type: event.type,
      isLive: true,
    };
    return insertEvent(
      ctx.db,
      { ...stored, happenedAt, payloadSealed: ctx.encryption.seal(JSON.stringify(event)) },
      new Date(),
    );
  };
  return { ctx, queue, close: () => service.close() };
}

async function measureCustomers(
  store: BenchStore,
  programId: number,
  print: (line: string) => void,
): Promise<Map<number, number[]>> {
  const inbox = await openInbox(store);
  const rates = new Map(PAYMENTS.map((payments) => [payments, [] as number[]]));
  const customers = PAYMENTS.map((payments, index) => ({ payments, customer: `buyer-${index}` }));
  const processRenewals = async (customer: string, count: number) => {
    for (let event = 0; event < count; event += 1) await inbox.queue(programId, customer);
    return rateOf(count, async () => void (await processDueEvents(inbox.ctx)));
  };
  for (const { payments, customer } of customers) {
    print(`${store.kind}: the first ${payments} payments of ${customer}`);
    await processRenewals(customer, payments);
  }
  await inbox.ctx.db.query('analyze');
  // The first round warms everything up and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { payments, customer } of round % 2 === 0 ? customers : customers.toReversed()) {
      const rate = await processRenewals(customer, EVENTS);
      if (round > 0) rates.get(payments)?.push(rate);
      print(`${store.kind}, ${payments} payments: ${Math.round(rate)} events/s`);
    }
  }
  await inbox.close();
  return rates;
}

/** One program has nearly all of the queue, and had it first. */
async function measureTurns(
  store: BenchStore,
  [busy, ...quiet]: number[],
  print: (line: string) => void,
): Promise<Pick<Inbox, 'quietSeconds' | 'allSeconds'>> {
  const inbox = await openInbox(store);
  const perQuiet = 50;
  for (let event = 0; event < QUEUED - quiet.length * perQuiet; event += 1) await inbox.queue(busy!, 'nobody');
  for (let event = 0; event < perQuiet; event += 1) for (const id of quiet) await inbox.queue(id, 'nobody');
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  let quietSeconds = 0;
  let processed = 0;
  const onEventProcessed = () => {
    processed += 1;
  };
  const watch = setInterval(async () => {
    if (quietSeconds > 0) return;
    const [row] = await inbox.ctx.db.query<{ left: number }>(
      `select count(*) as left from processor_events
       where program_id = any ($1::bigint[]) and outcome is null`,
      [quiet],
    );
    if (row?.left === 0 && quietSeconds === 0) quietSeconds = seconds();
  }, 100);
  await processDueEvents({ ...inbox.ctx, onEventProcessed });
  clearInterval(watch);
  const allSeconds = seconds();
  print(
    `${store.kind}: ${processed} events in ${allSeconds.toFixed(1)} s, the quiet programs in ${quietSeconds.toFixed(1)} s`,
  );
  await inbox.close();
  return { quietSeconds, allSeconds };
}

function writePage(measured: Inbox[]): string {
  const versions = Object.fromEntries(measured.map(({ kind, version }) => [kind, version]));
  const rows = measured.map(({ kind, rates, quietSeconds, allSeconds }) => [
    kind,
    ...PAYMENTS.map((payments) => describeRates(rates.get(payments) ?? [])),
    `${quietSeconds.toFixed(1)} s`,
    `${allSeconds.toFixed(1)} s`,
  ]);
  const header = [
    'Store',
    ...PAYMENTS.map((payments) => `${payments} payments`),
    `${PROGRAMS - 1} programs with 50 each`,
    `all ${QUEUED}`,
  ];
  return `# Payment events

${bullets([
  ...machineFacts(versions),
  `Renewals of one customer who already has 10, 1,000 or 5,000 payments in the same subscription, ${EVENTS} at a time, ${ROUNDS} rounds in turns, in both orders; the payments before came in the same way; events per second: the median, and the lowest and highest round`,
  `Then ${QUEUED} queued events of ${PROGRAMS} programs, nearly all of them of the program that came first: when the other programs were done, and when all were`,
])}

${table(header, rows)}
`;
}
