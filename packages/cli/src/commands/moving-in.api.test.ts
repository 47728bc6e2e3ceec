import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { newHome, useCommand } from '../../test/command.ts';
import * as firstpromoter from '../../test/fake-tools/firstpromoter.ts';
import * as firstpromoterV1 from '../../test/fake-tools/firstpromoter-v1.ts';
import * as rewardful from '../../test/fake-tools/rewardful.ts';
import { importProject, unique } from '../../test/import-project.ts';
import { theService } from '../../test/service.ts';
import { signedIn } from '../../test/signed-in.ts';

const guide = await readFile(new URL('../../../../docs/moving-in.md', import.meta.url), 'utf8');

const command = useCommand();
const service = theService();
let home = '';

beforeAll(async () => {
  home = await newHome(command);
  await signedIn(command, service, home);
});

const sectionOf = (title: string) => guide.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

/** What a section tells to type, in its order. */
const commandsIn = (title: string) =>
  [...sectionOf(title).matchAll(/^ *svc (.+)$|`svc ([^`]+)`/gm)].map(([, line, inline]) =>
    String(line ?? inline).split(' '),
  );

/** The variables that a section sets. */
const variablesIn = (title: string) => new Set(sectionOf(title).match(/[A-Z_]+(?==…)/g));

const flagsOf = ([, , ...flags]: string[] = []) => flags;

it('a Rewardful user who follows the guide ends with every partner, and can take it back', async () => {
  const own = unique();
  const data: rewardful.RewardfulData = {
    affiliates: [rewardful.affiliate(`jamie-${own}`, `jamie-${own}@example.com`)],
    referrals: [rewardful.referral(`r${own}`, `jamie-${own}`)],
    commissions: [rewardful.commission('c1', `jamie-${own}`, 3_000, 'due')],
  };
  const env = { REWARDFUL_API_SECRET: rewardful.REWARDFUL_SECRET };
  expect(variablesIn('From Rewardful')).toEqual(new Set(Object.keys(env)));
  const fake = rewardful.fakeRewardful(data);
  const { svc, programId } = await importProject({ command, home, apiUrl: service.url }, fake, env);
  const type = (typed: string[] = []) => svc(...typed, '--json', '--yes', '--tool-url', fake.url);
  const commands = commandsIn('From Rewardful');
  expect(commands).toHaveLength(4);
  const [look, apply, verify, later] = commands;

  const looked = await type(look);
  expect([looked.code, looked.json.dry_run, looked.json.totals]).toEqual([
    0,
    true,
    [{ currency: 'USD', pending_cents: 0, approved_cents: 3_000, paid_cents: 0 }],
  ]);
  const applied = await type(apply);
  expect([applied.code, applied.json.outcomes.partners.created]).toEqual([0, 1]);
  const [, script = ''] = /src="https:\/\/track\.example\.com(\/js\/[^"]+)"/.exec(sectionOf('From Rewardful')) ?? [];
  const served = await fetch(service.url + script.replace('42', String(programId)));
  expect([served.status, await served.text()]).toEqual([200, expect.stringContaining('"via"')]);
  const verified = await type(verify);
  expect([verified.code, verified.json.verified, verified.json.wrong]).toEqual([0, 1, 0]);

  data.affiliates.push(rewardful.affiliate(`late-${own}`, `late-${own}@example.com`));
  const again = await type(later);
  expect([again.code, again.json.outcomes.partners]).toMatchObject([0, { created: 1, unchanged: 1 }]);

  const [undo] = commandsIn('Taking it back');
  const undone = await type(undo);
  expect([undone.code, undone.json.removed, undone.json.kept]).toMatchObject([0, { partners: 2, customers: 1 }, []]);
});

it('a FirstPromoter user who follows the guide is asked for a sale, and goes on with it', async () => {
  const own = unique();
  const sale = { event_id: 'ch_3Qf8', sale_amount: 4_900, original_sale_amount: 4_900 };
  const fake = firstpromoter.fakeFirstPromoter({
    promoters: [
      firstpromoter.promoter(1, `john-${own}@example.com`, { default_ref_id: `john-${own}`, promoter_campaigns: [] }),
    ],
    links: {},
    promoCodes: [],
    referrals: [],
    commissions: [firstpromoter.commission(1, 1, 980, sale)],
  });
  expect(variablesIn('From FirstPromoter')).toEqual(new Set(Object.keys(firstpromoter.FIRSTPROMOTER_ENV)));
  const signed = { command, home, apiUrl: service.url };
  const { svc } = await importProject(signed, fake, firstpromoter.FIRSTPROMOTER_ENV);
  const type = (typed: string[] = []) => svc(...typed, '--json', '--yes', '--tool-url', fake.url);
  const commands = commandsIn('From FirstPromoter');
  expect(commands).toHaveLength(3);
  const [look, withSale, firstVersion] = commands;
  const [, apply, verify] = commandsIn('From Rewardful').map(flagsOf);

  expect((await type(look)).json.error.code).toBe('unknown_unit');
  expect((await type(withSale)).json).toMatchObject({ dry_run: true, partners: 1, totals: [{ approved_cents: 980 }] });
  expect((await type([...withSale!, ...apply!])).json.outcomes.partners.created).toBe(1);
  expect((await type([...withSale!, ...verify!])).json).toMatchObject({ verified: 1, wrong: 0 });

  const promoter = firstpromoterV1.promoter(1, `joan-${own}@example.com`, { current: 980 }, { promotions: [] });
  const older = firstpromoterV1.fakeFirstPromoterV1({
    promoters: [{ ...promoter, default_ref_id: `joan-${own}` }],
    leads: [],
    rewards: [firstpromoterV1.reward(1, 1, 980)],
  });
  const env = { FIRSTPROMOTER_API_KEY: firstpromoter.FIRSTPROMOTER_ENV.FIRSTPROMOTER_API_KEY };
  const project = await importProject(signed, older, env);
  const typed = [...firstVersion!, '--json', '--yes', '--tool-url', older.url];
  expect((await project.svc(...typed)).json).toMatchObject({ dry_run: true, totals: [{ approved_cents: 980 }] });
  expect((await project.svc(...typed, ...apply!)).json.outcomes.partners.created).toBe(1);
  expect((await project.svc(...typed, ...verify!)).json).toMatchObject({ verified: 1, wrong: 0 });
});

it('the mapping of the guide reads files with the columns that it names', async () => {
  const own = unique();
  const { svc, cwd } = await importProject(
    { command, home, apiUrl: service.url },
    rewardful.fakeRewardful({} as never),
  );
  const [, mapping = ''] = /```yaml\n([\s\S]*?)```/.exec(sectionOf('From files')) ?? [];
  const files = {
    'mapping.yaml': mapping,
    'affiliates.csv': `ID,Email,First name,Last name,Token\n7,ann-${own}@x.test,Ann,Lee,ann-${own}\n`,
    'coupons.csv': `Affiliate,Code\n7,ANN-${own}\n`,
    'customers.csv': `Affiliate,User ID,Stripe ID,Email,Since\n7,u-${own},cus_${own},u@x.test,2024-01-31\n`,
    'commissions.csv':
      'Affiliate,Commission,Currency,State\n7,49.00,USD,Due\n7,7.50,,Pending\n7,100,JPY,Paid\n7,3,USD,Void\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  const [read] = commandsIn('From files');
  const applied = await svc(...read!, '--json', '--yes', '--apply');
  expect([applied.code, applied.json.source]).toEqual([0, 'oldtool']);
  for (const kind of ['partners', 'links', 'coupons', 'customers']) expect(applied.json.outcomes[kind].created).toBe(1);
  expect(applied.json.totals).toEqual([
    { currency: 'JPY', pending_cents: 0, approved_cents: 0, paid_cents: 100 },
    { currency: 'USD', pending_cents: 750, approved_cents: 4_900, paid_cents: 0 },
  ]);
});

it('a brand that leaves gets every list that the guide names, as CSV and as JSON', async () => {
  const { svc, cwd } = await importProject(
    { command, home, apiUrl: service.url },
    rewardful.fakeRewardful({} as never),
  );
  const [leave] = commandsIn('Leaving');
  const { code, stderr } = await svc(...leave!, '--json');
  expect(code, stderr).toBe(0);
  const named = /writes ([\w, ]+ and [\w ]+), each as CSV and as JSON/.exec(sectionOf('Leaving'))?.[1] ?? '';
  const lists = named.split(/, | and /).map((name) => name.replace(' ', '-'));
  expect(lists.length).toBeGreaterThan(6);
  const files = lists.flatMap((name) => [`${name}.csv`, `${name}.json`]);
  expect((await readdir(join(cwd, 'folder'))).sort()).toEqual([...files, 'manifest.json'].sort());
});
