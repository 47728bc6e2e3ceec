import { addOwner } from '@svc/demo/seed/owner';
import { post } from '../load/send-sales.ts';
import type { Options, StoreKind } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { setUp, startService } from '../service.ts';
import { createStore } from '../store.ts';

const PARTNERS = 50_000;
/** As many as a request may have, which is what `svc import` sends. */
const ROWS = 500;
const GOAL_SECONDS = 120;

type Outcome = 'created' | 'unchanged';
type Timed = { kind: StoreKind; version: string } & Record<Outcome, number>;

/** Times an import of 50,000 partners, and the same import sent again, which changes nothing. */
export async function measureImport(options: Options, print: (line: string) => void): Promise<string> {
  const timed: Timed[] = [];
  for (const kind of options.stores) timed.push(await time(kind, print));
  return writePage(timed);
}

async function time(kind: StoreKind, print: (line: string) => void): Promise<Timed> {
  const store = await createStore(kind);
  try {
    const { program_id: programId, workspace_id: workspaceId } = await setUp(store);
    const token = await store.withDb((db) => addOwner(db, workspaceId));
    const service = await startService(store);
    const send = async (expected: Outcome) => {
      const from = performance.now();
      for (let first = 0; first < PARTNERS; first += ROWS) {
        const rows = Array.from({ length: ROWS }, (_, index) => newRow(first + index));
        const path = `/api/v1/manage/programs/${programId}/imports`;
        const answer = await post<Answer>(service, path, token, { source: 'rewardful', rows });
        const other = answer.rows.find(({ outcome }) => outcome !== expected);
        if (other || answer.rows.length !== ROWS) throw new Error(`A row is not ${expected}: ${JSON.stringify(other)}`);
      }
      const seconds = (performance.now() - from) / 1_000;
      print(`${kind}: ${PARTNERS} partners ${expected} in ${seconds.toFixed(1)} s`);
      return seconds;
    };
    const result = { kind, version: store.version, created: await send('created'), unchanged: await send('unchanged') };
    await service.stop();
    return result;
  } finally {
    await store.remove();
  }
}

type Answer = { rows: { outcome: string }[] };

/** A partner with a link, a coupon, a paying customer and a balance. */
const newRow = (number: number) => ({
  partner: { email: `partner-${number}@example.com`, name: `Partner ${number}`, external_id: `aff_${number}` },
  links: [{ parameter: 'via', code: `partner-${number}` }],
  coupons: [`CODE${number}`],
  customers: [{ external_id: `user-${number}`, processor_customer_id: `cus_${number}` }],
  balances: [{ currency: 'USD', pending_cents: 500, approved_cents: 1_000, paid_cents: 2_000 }],
});

function writePage(timed: Timed[]): string {
  const versions = Object.fromEntries(timed.map(({ kind, version }) => [kind, version]));
  const rows = timed.map(({ kind, created, unchanged }) => [
    kind,
    `${created.toFixed(1)} s (goal: under ${GOAL_SECONDS} s, **${created < GOAL_SECONDS ? 'pass' : 'miss'}**)`,
    Math.round(PARTNERS / created).toLocaleString('en-US'),
    `${unchanged.toFixed(1)} s`,
  ]);
  return `# Import of ${PARTNERS.toLocaleString('en-US')} partners

${bullets([
  ...machineFacts(versions),
  `Each partner has a link, a coupon, a customer with a processor's id and a balance; ${ROWS} in a request, one request after another`,
  'Client and service run on the same machine; each request is answered after its commit',
])}

${table(['Store', 'First time', 'Partners per second', 'Sent again'], rows)}
`;
}
