// The arrows that ARCHITECTURE.md describes. Type-only imports count like any other.

import { readdirSync } from 'node:fs';

/** Folders of the server. A folder may import those before it. */
const SERVER_ORDER = [
  'db',
  'outbound',
  'updates',
  'outbox',
  'downloads',
  'payout-files',
  'rollups',
  'books',
  'audit',
  'mail',
  'payout-methods',
  'accounts',
  'programs',
  'domains',
  'views',
  'alerts',
  'partners',
  'coupons',
  'creatives',
  'terms',
  'decisions',
  'refusals',
  'customers',
  'clicks',
  'archive',
  'redirects',
  'commissions',
  'leads',
  'sales',
  'refunds',
  'test-events',
  'payouts',
  'statements',
  'payout-runs',
  'messages',
  'bulk-actions',
  'payments',
  'imports',
  'feed',
  'webhooks',
  'postbacks',
  'idempotency',
  'privacy',
  'reporting',
  'jobs',
  'operator',
  'http',
  'workers',
];

/** Parts of the dashboard, in the same way. */
const DASHBOARD_ORDER = ['styles', 'rules', 'api', 'ui', 'features', 'app'];

/** Parts of the contract, in the same way. Routes are put together, and described, on top of the surfaces that declare them. */
const CONTRACT_ORDER = ['values', 'errors', 'routing', 'snippets', 'track', 'cli', 'manage', 'webhooks', 'openapi'];

/** Files beside the folders of the server that any folder may import. The others put the folders together. */
const SHARED_FILES = [
  'context',
  'create-log',
  'encryption',
  'expected-error',
  'html',
  'metrics',
  'release',
  'signature',
  'time',
  'tracking-context',
];

const server = '^packages/server/src';
const dashboard = '^packages/dashboard/src';
const contract = '^packages/contract/src';

const unplaced = readdirSync(new URL('packages/server/src/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SERVER_ORDER.includes(entry.name))
  .map(({ name }) => name);
if (unplaced.length > 0) throw new Error(`Say in SERVER_ORDER where ${unplaced.join(', ')} belongs.`);

/**
 * One rule for each part: it must not import those after it.
 *
 * @param {string} root
 * @param {string[]} parts
 */
function inOrder(root, parts) {
  return parts.slice(0, -1).map((part, index) => ({
    name: `${part}-imports-a-later-part`,
    comment: `The order is ${parts.join(', ')}. A part may only import those before it.`,
    severity: 'error',
    from: { path: `${root}/${part}/` },
    to: { path: `${root}/(${parts.slice(index + 1).join('|')})/` },
  }));
}

/**
 * @param {string} name
 * @param {string} comment
 * @param {object} from
 * @param {object} to
 */
function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}

export default {
  forbidden: [
    ...inOrder(server, SERVER_ORDER),
    ...inOrder(dashboard, DASHBOARD_ORDER),
    ...inOrder(contract, CONTRACT_ORDER),
    forbid(
      'contract-imports-what-puts-it-together',
      'The list of routes is put together from the surfaces. Only the API description on top of it reads it.',
      { path: `${contract}/[^/]+/`, pathNot: `${contract}/openapi/` },
      { path: `${contract}/[^/]+$` },
    ),
    forbid(
      'jobs-know-reporting',
      'Jobs change data; reports only read it.',
      { path: `${server}/jobs/` },
      { path: `${server}/reporting/` },
    ),
    forbid(
      'http-knows-jobs-or-operator',
      'Jobs and operator commands have their own way in.',
      { path: `${server}/http/` },
      { path: `${server}/(jobs|operator)/` },
    ),
    forbid(
      'folder-imports-what-puts-it-together',
      `Folders may import ${SHARED_FILES.join(', ')}. Only operator/ also needs the configuration.`,
      { path: `${server}/[^/]+/` },
      { path: `${server}/[^/]+$`, pathNot: `${server}/(${SHARED_FILES.join('|')})\\.ts$|${server}/config\\.ts$` },
    ),
    forbid(
      'configuration-outside-operator',
      'Folders take what they need as arguments.',
      { path: `${server}/[^/]+/`, pathNot: `${server}/operator/` },
      { path: `${server}/config\\.ts$` },
    ),
    forbid(
      'shared-file-runs-code-of-a-folder',
      'What every folder may import must not bring other folders along, so it imports their types only.',
      { path: `${server}/(${SHARED_FILES.join('|')})\\.ts$` },
      { path: `${server}/`, pathNot: `${server}/(${SHARED_FILES.join('|')})\\.ts$`, dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'fastify-outside-http',
      'Only http/ and the files that start it know the web framework.',
      { path: `${server}/`, pathNot: `${server}/(http/|app\\.ts$|assemble-service\\.ts$)` },
      { path: 'node_modules/(fastify|@fastify)/' },
    ),
    forbid(
      'features-know-each-other',
      'What two features share belongs to ui, api or rules.',
      { path: `${dashboard}/features/([^/]+)/` },
      { path: `${dashboard}/features/`, pathNot: `${dashboard}/features/$1/` },
    ),
    forbid(
      'application-knows-the-page-of-components',
      'The page of all components shows the application’s parts and is not one of them.',
      { path: `${dashboard}/` },
      { path: '^packages/dashboard/components/' },
    ),
    forbid(
      'reaches-into-another-package',
      'Import another package by its name; its exports say what it offers.',
      { path: '^(packages/[^/]+|demo|bench|rehearsals)/' },
      { path: '^(packages/[^/]+|demo|bench|rehearsals)/', pathNot: '^$1/', dependencyTypes: ['local'] },
    ),
    forbid('cycle', 'Move what both need to a third file.', {}, { circular: true }),
    forbid(
      'not-found',
      'The import leads nowhere, or the package does not export it.',
      {},
      {
        couldNotResolve: true,
        pathNot: '^virtual:',
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Tests may reach anywhere. Nothing imports them.
    exclude: { path: '(^|/)(dist|dist\\.\\d+\\.tmp|results)/|\\.test\\.tsx?$|^packages/([^/]+/test|testkit/service)/' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.json', '.d.ts', '.css', '.svg'],
    },
  },
};
