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
    published: { version: 2, note: 'Pro earns more', rules: [{ description: 'product pro, 30%' }] },
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

it('exits with 2 without a file', async () => {
  const { code, stderr } = await svc('terms', 'plan');
  expect([code, stderr]).toEqual([2, expect.stringContaining("missing required argument 'file'")]);
});
