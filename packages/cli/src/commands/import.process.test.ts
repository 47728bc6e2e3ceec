import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { useBinary } from '../../test/binary.ts';
import { newHome } from '../../test/command.ts';
import * as rewardful from '../../test/fake-tools/rewardful.ts';
import { theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';

const binary = useBinary();
const service = theService();
let home = '';

beforeAll(async () => {
  home = await newHome(binary);
  await signedIn(binary, service, home);
});

/** More than one request can take. The long version of the suite sends three. */
const PARTNERS = process.env.SVC_TEST_LONG ? 1_200 : 600;

/** A tool with so many partners, each with a customer and a commission. */
function data(own: string): rewardful.RewardfulData {
  const ids = Array.from({ length: PARTNERS }, (_, index) => `p${index}-${own}`);
  return {
    affiliates: ids.map((id) => rewardful.affiliate(id, `${id}@example.com`)),
    referrals: ids.map((id) => rewardful.referral(id.replace('-', ''), id)),
    commissions: ids.map((id, index) => rewardful.commission(`c-${id}`, id, 100 + index, 'due')),
  };
}

async function newProject(fakeUrl: string) {
  const cwd = await binary.folder();
  const init = ['init', '--json', '--no-interactive', '--yes', '--api-url', service.url, ...TERMS];
  expect((await binary.run(init, { home, cwd })).code).toBe(0);
  const env = { REWARDFUL_API_SECRET: rewardful.REWARDFUL_SECRET };
  const args = ['import', 'rewardful', '--json', '--yes', '--tool-url', fakeUrl];
  return (...flags: string[]) => binary.start([...args, ...flags], { home, cwd, env });
}

it('killed while it reads and while it sends, it goes on: the rows are those of one run, and nothing is there twice', async () => {
  const own = Math.random().toString(36).slice(2, 10);
  const fake = await rewardful.fakeRewardful(data(own)).open();
  onTestFinished(() => fake.close());
  const start = await newProject(fake.url);

  // While it reads: the tool holds the fifth page back.
  const fifth = new Promise<void>((resolve) => {
    fake.beforeAnswer = (count) => {
      if (count !== 5) return;
      resolve();
      return new Promise<void>(() => undefined);
    };
  });
  const reading = start('--apply');
  await fifth;
  reading.child.kill('SIGKILL');
  expect((await reading.ended).code).toBe(null);
  fake.beforeAnswer = () => undefined;

  // While it sends.
  const sending = start('--apply');
  await sending.says(new RegExp(`Sent 500 of ${PARTNERS.toLocaleString('en-US')} rows`));
  sending.child.kill('SIGKILL');
  expect((await sending.ended).code).toBe(null);
  const readOnce = fake.asked.filter((path) => path.startsWith('/affiliates')).length;
  // Page five was asked for twice, because it had not arrived.
  expect(readOnce).toBe(PARTNERS / 100 + 1);

  const { code, json } = await start('--apply').ended;
  expect(code).toBe(0);
  const { partners, links, customers, balances } = json.outcomes;
  expect([partners.refused, links.refused, customers.refused, balances.refused]).toEqual([0, 0, 0, 0]);
  expect(partners.created + partners.unchanged).toBe(PARTNERS);
  expect(partners.unchanged).toBeGreaterThanOrEqual(500);
  const again = await start('--apply', '--fresh').ended;
  for (const kind of ['partners', 'links', 'customers', 'balances']) {
    expect(again.json.outcomes[kind]).toEqual({ created: 0, merged: 0, unchanged: PARTNERS, refused: 0 });
  }
  expect(again.json.totals).toEqual([
    { currency: 'USD', pending_cents: 0, approved_cents: (PARTNERS * (100 + 100 + PARTNERS - 1)) / 2, paid_cents: 0 },
  ]);
  const undone = await start('--undo').ended;
  expect(undone.json).toMatchObject({
    status: 'undone',
    removed: { partners: PARTNERS, links: PARTNERS, customers: PARTNERS },
    kept: [],
  });
});

it('Ctrl-C stops it in order while it waits for the tool, and it says that it can go on', async () => {
  const own = Math.random().toString(36).slice(2, 10);
  const fake = await rewardful.fakeRewardful(data(own)).open();
  onTestFinished(() => fake.close());
  const start = await newProject(fake.url);
  const held = new Promise<void>((resolve) => {
    fake.beforeAnswer = (count) => {
      if (count !== 3) return;
      resolve();
      return new Promise<void>(() => undefined);
    };
  });
  const reading = start();
  await held;
  reading.child.kill('SIGINT');
  const { code, json } = await reading.ended;
  expect([code, json.error.message]).toEqual([
    130,
    'Stopped. Run the same command again: it goes on where it stopped, and sends nothing twice.',
  ]);
});
