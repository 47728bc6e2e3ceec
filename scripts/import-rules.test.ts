import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type IConfiguration, type ICruiseOptions } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import configuration from '../.dependency-cruiser.mjs';
import { writeFixture } from './fixture.ts';

const { forbidden, options } = configuration as IConfiguration;

/** The names of the rules that a tree of files breaks. */
async function brokenRules(files: Record<string, string>): Promise<string[]> {
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
  return [...new Set(output.summary.violations.map(({ rule }) => rule.name))];
}

/** A file of the server, or of another package, that imports a path. */
const importing = (path: string, target: string, isType = false) => ({
  [path]: isType ? `export type { One } from '${target}';\n` : `import '${target}';\nexport type One = 1;\n`,
});
const server = (path: string) => `packages/server/src/${path}`;
const dashboard = (path: string) => `packages/dashboard/src/${path}`;
const leaf = (path: string) => ({ [path]: 'export type One = 1;\n' });

describe('imports that fail', () => {
  it.each([
    [
      'an arrow to a later folder',
      'partners-imports-a-later-part',
      'partners/partner.ts',
      '../sales/sale.ts',
      'sales/sale.ts',
    ],
    [
      'payouts that know payments',
      'payouts-imports-a-later-part',
      'payouts/payout.ts',
      '../payments/fact.ts',
      'payments/fact.ts',
    ],
    [
      'jobs that know reporting',
      'jobs-know-reporting',
      'jobs/job.ts',
      '../reporting/lists/csv.ts',
      'reporting/lists/csv.ts',
    ],
    ['http that knows jobs', 'http-knows-jobs-or-operator', 'http/a.ts', '../jobs/job.ts', 'jobs/job.ts'],
    ['http that knows operator', 'http-knows-jobs-or-operator', 'http/a.ts', '../operator/b.ts', 'operator/b.ts'],
    ['a folder that knows the app', 'folder-imports-what-puts-it-together', 'db/a.ts', '../app.ts', 'app.ts'],
    [
      'a folder that knows the configuration',
      'configuration-outside-operator',
      'http/a.ts',
      '../config.ts',
      'config.ts',
    ],
  ])('%s, also by a type alone', async (_what, rule, from, target, to) => {
    expect(await brokenRules({ ...importing(server(from), target), ...leaf(server(to)) })).toEqual([rule]);
    expect(await brokenRules({ ...importing(server(from), target, true), ...leaf(server(to)) })).toEqual([rule]);
  });

  it('a shared file that runs code of a folder', async () => {
    const files = { ...importing(server('tracking-context.ts'), './sales/sale.ts'), ...leaf(server('sales/sale.ts')) };
    expect(await brokenRules(files)).toEqual(['shared-file-runs-code-of-a-folder']);
  });

  it('a cycle, also of types alone', async () => {
    const files = { ...importing(server('db/a.ts'), './b.ts', true), ...importing(server('db/b.ts'), './a.ts', true) };
    expect(await brokenRules(files)).toEqual(['cycle']);
  });

  it('Fastify outside http/', async () => {
    expect(await brokenRules(importing(server('payments/a.ts'), 'fastify', true))).toEqual(['fastify-outside-http']);
  });

  it('the sources of another package', async () => {
    const relative = importing(server('http/a.ts'), '../../../contract/src/index.ts');
    expect(await brokenRules(relative)).toEqual(['reaches-into-another-package']);
    expect(await brokenRules(importing(server('http/a.ts'), '@svc/contract/src/index.ts'))).toEqual(['not-found']);
  });

  it.each([
    ['rules that know the API', 'rules-imports-a-later-part', 'rules/a.ts', '../api/b.ts', 'api/b.ts'],
    [
      'building blocks that know a page',
      'ui-imports-a-later-part',
      'ui/a.tsx',
      '../features/b/c.tsx',
      'features/b/c.tsx',
    ],
    ['pages that know each other', 'features-know-each-other', 'features/a/a.tsx', '../b/b.tsx', 'features/b/b.tsx'],
  ])('in the dashboard: %s', async (_what, rule, from, target, to) => {
    expect(await brokenRules({ ...importing(dashboard(from), target), ...leaf(dashboard(to)) })).toEqual([rule]);
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
  ).toEqual([]);
});
