import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cruise, type IConfiguration, type ICruiseOptions } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import configuration from '../.dependency-cruiser.mjs';
import { writeFixture } from './fixture.ts';

const { forbidden, options } = configuration as IConfiguration;

type Broken = Record<string, string[]>;

/** The names of the rules that each file of a tree breaks, if any. */
async function brokenRules(files: Record<string, string>): Promise<Broken> {
  const root = writeFixture({
    'node_modules/fastify/package.json': '{ "name": "fastify", "main": "index.js" }',
    'node_modules/fastify/index.js': '',
    'node_modules/@svc/.keep': '',
    'packages/contract/package.json': '{ "name": "@svc/contract", "exports": { ".": { "source": "./src/index.ts" } } }',
    'packages/contract/src/index.ts': 'export type Contract = 1;\n',
    ...files,
  });
  symlinkSync(join(root, 'packages/contract'), join(root, 'node_modules/@svc/contract'));
  const cruiseOptions: ICruiseOptions = { ...options, baseDir: root, validate: true, ruleSet: { forbidden } };
  const { output } = await cruise(['packages'], cruiseOptions, options?.enhancedResolveOptions);
  if (typeof output === 'string') throw new Error(output);
  const broken: Broken = {};
  for (const { from, rule } of output.summary.violations) {
    broken[from] = [...new Set([...(broken[from] ?? []), rule.name])];
  }
  return broken;
}

/** A file of the server, or of another package, that imports a path. */
const importing = (path: string, target: string, isType = false) => ({
  [path]: isType ? `export type { One } from '${target}';\n` : `import '${target}';\nexport type One = 1;\n`,
});
const server = (path: string) => `packages/server/src/${path}`;
const dashboard = (path: string) => `packages/dashboard/src/${path}`;
const leaf = (path: string) => ({ [path]: 'export type One = 1;\n' });

type Case = { what: string; rule: string; file: string; target: string; to?: string; isType?: boolean };

/** An import in the server, and the same one of a type alone, in a file beside it. */
const inServer = (what: string, rule: string, from: string, target: string): Case[] =>
  [false, true].map((isType) => {
    const file = server(isType ? from.replace('.ts', '-types.ts') : from);
    const to = join(dirname(file), target);
    return { what: isType ? `${what}, by a type alone` : what, rule, file, target, to, isType };
  });

const inDashboard = (what: string, rule: string, from: string, target: string): Case => {
  const file = dashboard(from);
  return { what: `in the dashboard: ${what}`, rule, file, target, to: join(dirname(file), target) };
};

const inContract = (what: string, rule: string, from: string, target: string): Case => {
  const file = `packages/contract/src/${from}`;
  return { what: `in the contract: ${what}`, rule, file, target, to: join(dirname(file), target) };
};

const CASES: Case[] = [
  inContract('values that know errors', 'values-imports-a-later-part', 'values/a.ts', '../errors/a.ts'),
  inContract('routing that knows a surface', 'routing-imports-a-later-part', 'routing/a.ts', '../manage/a.ts'),
  inContract('a surface that knows all routes', 'contract-imports-what-puts-it-together', 'cli/a.ts', '../routes.ts'),
  ...inServer('an arrow to a later folder', 'partners-imports-a-later-part', 'partners/partner.ts', '../sales/sale.ts'),
  ...inServer('payouts that know payments', 'payouts-imports-a-later-part', 'payouts/payout.ts', '../payments/fact.ts'),
  ...inServer('jobs that know reporting', 'jobs-know-reporting', 'jobs/job.ts', '../reporting/readiness.ts'),
  ...inServer('http that knows jobs', 'http-knows-jobs-or-operator', 'http/a.ts', '../jobs/loop.ts'),
  ...inServer('http that knows operator', 'http-knows-jobs-or-operator', 'http/b.ts', '../operator/b.ts'),
  ...inServer('a folder that knows the app', 'folder-imports-what-puts-it-together', 'db/a.ts', '../app.ts'),
  ...inServer('a folder that knows the configuration', 'configuration-outside-operator', 'http/c.ts', '../config.ts'),
  {
    what: 'a shared file that runs code of a folder',
    rule: 'shared-file-runs-code-of-a-folder',
    file: server('tracking-context.ts'),
    target: './sales/sale.ts',
    to: server('sales/sale.ts'),
  },
  {
    what: 'Fastify outside http/',
    rule: 'fastify-outside-http',
    file: server('payments/a.ts'),
    target: 'fastify',
    isType: true,
  },
  {
    what: 'the sources of another package',
    rule: 'reaches-into-another-package',
    file: server('http/d.ts'),
    target: '../../../contract/src/index.ts',
  },
  {
    what: 'the sources of another package by its name',
    rule: 'not-found',
    file: server('http/e.ts'),
    target: '@svc/contract/src/index.ts',
  },
  inDashboard('rules that know the API', 'rules-imports-a-later-part', 'rules/a.ts', '../api/b.ts'),
  inDashboard('building blocks that know a page', 'ui-imports-a-later-part', 'ui/a.tsx', '../features/c/c.tsx'),
  inDashboard('pages that know each other', 'features-know-each-other', 'features/a/a.tsx', '../b/b.tsx'),
];

describe('imports that fail', () => {
  const CYCLE = [server('db/c.ts'), server('db/d.ts')];
  const TREE = Object.assign(
    {},
    ...CASES.map(({ to }) => (to ? leaf(to) : {})),
    ...CASES.map(({ file, target, isType }) => importing(file, target, isType)),
    importing(server('db/c.ts'), './d.ts', true),
    importing(server('db/d.ts'), './c.ts', true),
  );
  let looked: Promise<Broken> | undefined;
  /** All are in one tree, which is looked at once, because that takes a while. */
  const broken = () => (looked ??= brokenRules(TREE));

  it.each(CASES)('$what', async ({ file, rule }) => {
    expect((await broken())[file]).toEqual([rule]);
  });

  it('a cycle, also of types alone', async () => {
    const found = await broken();
    // It is reported once, for one of its files.
    expect(CYCLE.flatMap((file) => found[file] ?? [])).toEqual(['cycle']);
  });

  it('and no others', async () => {
    const expected = [...CASES.map(({ file }) => file), ...CYCLE];
    expect(Object.keys(await broken()).filter((file) => !expected.includes(file))).toEqual([]);
  });
});

it('imports that pass: earlier folders, shared files, types behind a shared file, packages by their name', async () => {
  expect(
    await brokenRules({
      ...leaf(server('db/db.ts')),
      ...leaf(server('config.ts')),
      ...leaf(server('sales/sale.ts')),
      ...importing(server('tracking-context.ts'), './sales/sale.ts', true),
      ...importing(server('clicks/record-click.ts'), '../tracking-context.ts', true),
      ...importing(server('payments/apply-payment.ts'), '../sales/sale.ts'),
      ...importing(server('operator/setup.ts'), '../config.ts'),
      ...importing(server('http/server.ts'), 'fastify'),
      ...importing(server('http/sale.ts'), '@svc/contract'),
      ...importing(dashboard('features/a/b.ts'), '../../rules/c.ts'),
      ...leaf(dashboard('rules/c.ts')),
    }),
  ).toEqual({});
});
