// Fails when the code leaves the shape that ARCHITECTURE.md describes: arrows between folders, what may live where, and size.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const MAX_LINES = 250;

/** Folders of the server from the bottom up; a file may import from its own folder and from those before it. */
const LAYERS = [
  'db',
  'accounts',
  'programs',
  'partners',
  'tracking',
  'payouts',
  'payments',
  'reporting',
  'jobs',
  'operator',
  'http',
];
/** Files every layer may use. */
const GROUND = ['context.ts', 'metrics.ts', 'time.ts'];
/** Folders above that do not know each other. */
const STRANGERS = [
  ['jobs', 'reporting'],
  ['http', 'jobs'],
  ['http', 'operator'],
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(ts|tsx|js|mjs|sql)$/.test(path));
const sources = files.filter((path) => !isTest(path));
const problems = [];

for (const path of sources) {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES) problem(path, `has ${lines} lines; split it at ${MAX_LINES}`);
  if (/(^|\/)(utils?|helpers?|common|types)\.[a-z]+$/.test(path)) problem(path, 'needs a name that says what is in it');
  for (const [, target = ''] of text.matchAll(/from '([^']+)'/g)) checkImport(path, target);
  if (path.startsWith('packages/server/src/')) checkServerFile(path, text);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log(`Structure: ${sources.length} files in shape.`);

function checkImport(path, target) {
  if (/^@svc\/[a-z-]+\/(src|dist)\b/.test(target)) problem(path, `reaches into another package: ${target}`);
  if (path.startsWith('packages/dashboard/src/') && target.startsWith('.')) return checkDashboardImport(path, target);
  if (!path.startsWith('packages/server/src/') || !target.startsWith('.')) return;
  const from = serverPlace(path);
  const to = serverPlace(normalize(join(dirname(path), target)));
  if (from.layer === to.layer || from.layer === null || GROUND.includes(to.file)) return;
  if (to.layer === null) return problem(path, `imports ${to.file}, which is put together above it`);
  if (LAYERS.indexOf(to.layer) > LAYERS.indexOf(from.layer)) problem(path, `points up to ${to.layer}/`);
  if (STRANGERS.some(([a, b]) => from.layer === a && to.layer === b)) problem(path, `must not know ${to.layer}/`);
}

/** Pages know building blocks, never each other; building blocks know no page. */
function checkDashboardImport(path, target) {
  const placeOf = (file) => file.replace('packages/dashboard/src/', '').split('/');
  const [from, feature] = placeOf(path);
  const [to, otherFeature] = placeOf(normalize(join(dirname(path), target)));
  const order = ['rules', 'api', 'ui', 'features', 'app'];
  if (!order.includes(from) || !order.includes(to)) return;
  if (order.indexOf(to) > order.indexOf(from)) problem(path, `points up to ${to}/`);
  if (from === 'features' && to === 'features' && feature !== otherFeature) problem(path, `knows ${otherFeature}/`);
}

function checkServerFile(path, text) {
  const { layer, file } = serverPlace(path);
  const atEdge = layer === 'http' || file === 'app.ts';
  if (!atEdge && /from 'fastify'/.test(text)) problem(path, 'knows Fastify; only http/ does');
  if (layer !== 'db' && !/-store\.ts$/.test(path) && /\.query[<(]/.test(text)) {
    problem(path, 'queries the database; only stores do');
  }
  if (/process\.env/.test(text) && !['config.ts', 'main.ts'].includes(file)) {
    problem(path, 'reads the environment; only config.ts does');
  }
}

function serverPlace(path) {
  const [first = '', ...rest] = path.replace('packages/server/src/', '').split('/');
  return rest.length > 0 ? { layer: first, file: rest.at(-1) } : { layer: null, file: first };
}

function isTest(path) {
  return /\.test\.tsx?$/.test(path) || path.includes('/test/');
}

function problem(path, what) {
  problems.push(`${path}: ${what}`);
}
