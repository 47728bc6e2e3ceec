import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { newHome, useCommand } from '../../test/command.ts';
import { theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';

const command = useCommand();
const service = theService();
let home = '';
let cwd = '';

beforeAll(async () => {
  home = await newHome(command);
  cwd = await command.folder();
  await signedIn(command, service, home);
  await command.run(['init', '--json', '--no-interactive', '--api-url', service.url, ...TERMS], { home, cwd });
});

const svc = (...args: string[]) => command.run(args, { home, cwd });
const write = (text: string) => writeFile(join(cwd, 'terms.yaml'), text);

const RULES = `
note: Pro earns more
rules:
  - on: sale
    when: { product_id: pro }
    pays: { type: percent, rate: 30 }
`;

it('plans the terms of a file, publishes them once, and then has nothing to publish', async () => {
  await write(RULES);
  const plan = await svc('terms', 'plan', 'terms.yaml');
  expect([plan.code, plan.stdout]).toEqual([
    0,
    expect.stringMatching(/^The rules differ from version 1, which is in force\.\nFrom .*: 0 sales, 0 leads\.\n/),
  ]);
  const unconfirmed = await svc('terms', 'apply', 'terms.yaml');
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('Pass --yes.')]);
  const applied = await svc('terms', 'apply', 'terms.yaml', '--yes', '--json');
  expect(applied.json).toMatchObject({
    changed: true,
    simulation: { matches_actual: true },
    published: {
      version: 2,
      note: 'Pro earns more',
      rules: [{ description: '30% of each sale of product pro, not of renewals' }],
    },
  });
  const again = await svc('terms', 'apply', 'terms.yaml', '--yes');
  expect([again.code, again.stdout]).toEqual([0, 'Nothing to publish: version 2 has these rules.\n']);
});

it('warns of rules that can pay more than a sale brings', async () => {
  await write('rules: [{ on: sale, pays: { to: recruiter, type: percent, rate: 95 } }]');
  const warning =
    'The commission settings and rule 1 can pay more than the sale brings: together 115%, 20% to the partner and 95% to the ' +
    'recruiter.';
  const plan = await svc('terms', 'plan', 'terms.yaml');
  expect([plan.code, plan.stdout.split('\n')[1]]).toEqual([0, `Warning: ${warning}`]);
});

it.each([
  [
    'a rate above 100',
    'rules: [{ on: sale, pays: { type: percent, rate: 101 } }]',
    'rule 1: pays.rate must be at most 100 percent',
  ],
  [
    'an unknown group',
    'rules: [{ on: sale, for: { group: Gold }, pays: { type: percent, rate: 1 } }]',
    'rule 1: for.group "Gold" is not in this program.',
  ],
  ['broken YAML', 'rules: [', 'terms.yaml is not valid YAML: '],
  ['a file without rules', 'rule: []', 'terms.yaml must have a list of rules.'],
  [
    '1,001 rules',
    `rules: [${'{ on: sale, pays: { type: fixed, rate: 1 } },'.repeat(1001)}]`,
    'terms.yaml has 1001 rules, more than 1000.',
  ],
  ['more than 1 MB', `# ${'x'.repeat(1024 * 1024)}`, 'terms.yaml is larger than 1 MB.'],
])('refuses %s with exit code 1', async (_what, text, message) => {
  await write(text);
  const { code, stderr } = await svc('terms', 'plan', 'terms.yaml');
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});

it('publishes scheduled terms once, however often the file is applied', async () => {
  const scheduled = `effective_from: "2127-01-01T00:00:00Z"\nrules: [{ on: sale, pays: { type: percent, rate: 35 } }]`;
  await write(scheduled);
  const first = await svc('terms', 'apply', 'terms.yaml', '--yes', '--json');
  expect(first.json).toMatchObject({ published: { effective_from: '2127-01-01T00:00:00.000Z' } });
  const { version } = (first.json as { published: { version: number } }).published;
  const again = await svc('terms', 'apply', 'terms.yaml', '--yes');
  expect([again.code, again.stdout]).toEqual([0, `Nothing to publish: version ${version} has these rules.\n`]);
  const plan = await svc('terms', 'plan', 'terms.yaml');
  expect(plan.stdout).toContain(`Version ${version}, which begins at 2127-01-01T00:00:00.000Z, has these rules.\n`);
  await write(scheduled.replace('35', '36'));
  const overlap = await svc('terms', 'plan', 'terms.yaml');
  expect([overlap.code, overlap.stderr]).toEqual([
    1,
    expect.stringContaining(
      `terms.yaml:1:17: effective_from must be after 2127-01-01T00:00:00.000Z, when version ${version} begins`,
    ),
  ]);
});

it.each([
  [
    'an effective_from that is no time',
    'effective_from: tomorrow',
    'terms.yaml:1:17: effective_from must be an ISO 8601 time',
  ],
  [
    'one in the past without backdate',
    'effective_from: "2020-01-01T00:00:00Z"',
    'terms.yaml:1:17: effective_from must be after',
  ],
  ['a backdate that is no yes or no', 'backdate: perhaps', 'terms.yaml:1:11: backdate must be true or false'],
  ['a note that is too long', `note: ${'x'.repeat(501)}`, 'terms.yaml:1:7: note must be at most 500 characters'],
  ['an unknown setting', 'settings: { rate: 5 }', 'terms.yaml:1:11: settings.rate is not a known setting.'],
  ['a setting that is too high', 'settings: { commission_rate: 101 }', 'terms.yaml:1:11: settings: commission_rate'],
])('plan refuses %s as apply would', async (_what, line, message) => {
  await write(`${line}\nrules: [{ on: sale, pays: { type: percent, rate: 40 } }]`);
  for (const verb of ['plan', 'apply']) {
    const { code, stderr } = await svc('terms', verb, 'terms.yaml', '--yes');
    expect([verb, code, stderr]).toEqual([verb, 1, expect.stringContaining(message)]);
  }
});

it('names the line of a rule that is refused', async () => {
  await write(`rules:
  - on: sale
    pays: { type: percent, rate: 10 }
    when: { product_id: pro }
  - on: sale
    for: { partner: nobody@acme.test }
    pays: { type: percent, rate: 101 }
`);
  const unknown = await svc('terms', 'plan', 'terms.yaml');
  expect(unknown.stderr).toContain('terms.yaml:6:21: rule 2: for.partner "nobody@acme.test" is not in this program.');
  await write(`- on: sale\n  pays:\n    type: percent\n    rate: 101\n`);
  const tooHigh = await svc('terms', 'plan', 'terms.yaml');
  expect(tooHigh.stderr).toContain('terms.yaml:4:11: rule 1: pays.rate must be at most 100 percent');
});

it('prints the terms in force as a file with names and settings, which has nothing to publish', async () => {
  const folder = await command.folder();
  await command.run(['init', '--json', '--no-interactive', '--api-url', service.url, ...TERMS, '--yes'], {
    home,
    cwd: folder,
  });
  const own = (...args: string[]) => command.run(args, { home, cwd: folder });
  const added = await own('partners', 'add', '--name', 'Ann', '--email', 'ann@partner.test', '--json');
  expect(added.code).toBe(0);
  await writeFile(
    join(folder, 'terms.yaml'),
    `settings: { commission_rate: 15, hold_days: 14 }
rules:
  - on: sale
    for: { partner: ann@partner.test }
    pays: { type: percent, rate: 30 }
`,
  );
  expect((await own('terms', 'apply', 'terms.yaml', '--yes')).code).toBe(0);
  const pulled = await own('terms', 'pull');
  expect([pulled.code, pulled.stdout]).toEqual([
    0,
    `settings:
  commission_type: percent
  commission_rate: 15
  commission_base: net
  currency: USD
  recurring_months: null
  hold_days: 14
attribution: first
rules:
  - on: sale
    for:
      partner: ann@partner.test
    pays:
      rate: 30
      type: percent
`,
  ]);
  await writeFile(join(folder, 'terms.yaml'), pulled.stdout);
  expect((await own('terms', 'apply', 'terms.yaml')).stdout).toMatch(
    /^Nothing to publish: version \d+ has these rules/,
  );
});

it('publishes which click is credited, once, and refuses what is neither', async () => {
  const folder = await command.folder();
  const own = (...args: string[]) => command.run(args, { home, cwd: folder });
  await own('init', '--json', '--no-interactive', '--api-url', service.url, ...TERMS);
  const file = (attribution: string) =>
    writeFile(join(folder, 'terms.yaml'), `attribution: ${attribution}\nrules: []\n`);
  await file('last');
  const plan = await own('terms', 'plan', 'terms.yaml');
  expect([plan.code, plan.stdout]).toEqual([
    0,
    expect.stringMatching(/^The terms differ from version 1, which is in force\.\nCredited: last click\.\nFrom /),
  ]);
  const applied = await own('terms', 'apply', 'terms.yaml', '--yes', '--json');
  expect(applied.json).toMatchObject({ attribution: 'last', published: { version: 2, attribution: 'last' } });
  expect((await own('terms', 'apply', 'terms.yaml', '--yes')).stdout).toBe(
    'Nothing to publish: version 2 has these rules.\n',
  );
  expect((await own('terms', 'pull')).stdout).toContain('\nattribution: last\n');
  await file('middle');
  const refused = await own('terms', 'plan', 'terms.yaml');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('terms.yaml:1:14: attribution must be first or last'),
  ]);
});

it('exits with 2 without a file', async () => {
  const { code, stderr } = await svc('terms', 'plan');
  expect([code, stderr]).toEqual([2, expect.stringContaining("missing required argument 'file'")]);
});
