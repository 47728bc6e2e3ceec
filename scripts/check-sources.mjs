// Checks what an import graph cannot show: who writes which table, where SQL, waiting and connections may appear, and names.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { readInvariants, readOwners } from './owners.mjs';

const SERVER = 'packages/server/src/';
/** Written by `npm run schema`. */
const SCHEMA = 'packages/server/schema.sql';

/** Folders whose files are stores, verbs or rules. The others are the edges of the service. */
const BUSINESS_FOLDERS = words(
  `downloads rollups audit mail payout-methods accounts programs views partners terms decisions customers clicks leads commissions sales refunds test-events payouts payout-files payments
  idempotency privacy reporting`,
);
/** A file whose name starts with one of these is a verb and may wait. */
const VERBS = words(
  `accept add apply bind change close complete confirm connect count create describe erase explain export identify invite join lift lock open poll prepare
  process queue read receive record regenerate repair report require retire review revoke run seal search send sign start sync upsert verify write`,
);
/** Files that hold state, or that say what a verb is given. They may wait as well. */
const HOLDS_STATE = /-(worker|cache|context)\.ts$/;

/**
 * Files outside outbound/ that open connections, and what to. None of these addresses is entered by a user of the service: those are
 * called through outbound/, which checks where they lead.
 */
const CONNECTS = new Map([
  ['accounts/verify-id-token.ts', 'the sign-in service that the operator configures'],
  ['archive/bucket-place.ts', 'the bucket that the operator configures'],
  ['db/engines/postgres/primary-connections.ts', 'the database'],
  ['db/engines/postgres/single-connection.ts', 'the database'],
  ['operator/control-socket.ts', 'a socket in the data folder'],
  ['workers/join-supervisor.ts', 'the process that started this one'],
]);
/** What of Node's own modules opens connections. */
const CONNECTING = new Map([
  ['http', words('request get Agent')],
  ['https', words('request get Agent')],
  ['http2', words('connect')],
  ['net', words('connect createConnection Socket')],
  ['tls', words('connect TLSSocket')],
  ['dgram', words('createSocket Socket')],
]);

const GAP = '<gap>';
/** The table that a statement writes. GAP marks a placeholder of the template. "do update set" names no table. */
const WRITES =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|update(?=\s+(?:only\s+)?(?!set\b)\S+(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b))\s+(?:only\s+)?([\w.]+|"\w+"|<gap>)/gi;
const STATEMENT =
  /^\s*(select\b[\s\S]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|with\s+\w+\s+as\s*\()/;

/** @typedef {{ path: string, text: string }} SourceFile */
/** @typedef {{ path: string, folder: string, strings: string[], queries: boolean, waits: boolean, readsEnvironment: boolean, connects: boolean }} ServerFile */

/**
 * What is wrong with the files, one line each. Paths are relative to `root`.
 *
 * @param {string} root
 * @param {string[]} paths
 * @returns {string[]}
 */
export function checkSources(root, paths) {
  const isSource = (/** @type {string} */ path) => /\.(ts|tsx|js|mjs|sql)$/.test(path) && !isTest(path);
  const files = paths.filter(isSource).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const inServer = files.filter(({ path }) => path.startsWith(SERVER) && /\.(ts|js)$/.test(path)).map(readServerFile);
  return [
    ...files.flatMap(checkName),
    ...inServer.flatMap(checkSql),
    ...inServer.flatMap(checkRule),
    ...inServer.flatMap(checkEnvironment),
    ...inServer.flatMap(checkConnections),
    ...checkTables(inServer),
    ...checkFunctions(root, paths),
  ];
}

function checkName(/** @type {SourceFile} */ { path }) {
  const isEmpty = /^(utils?|helpers?|common|types)\.[a-z]+$/.test(basename(path));
  return isEmpty ? [`${path}: needs a name that says what is in it`] : [];
}

function checkSql(/** @type {ServerFile} */ { path, folder, strings, queries }) {
  if (folder === 'db' || path.endsWith('-store.ts')) return [];
  const holdsSql = queries || strings.some((text) => STATEMENT.test(text));
  return holdsSql ? [`${path}: holds SQL; only stores and db/ do`] : [];
}

/** In a business folder, a file that is neither store nor verb is a rule: it computes and never waits. */
function checkRule(/** @type {ServerFile} */ { path, folder, waits }) {
  const [firstWord = ''] = basename(path, '.ts').split('-');
  const mayWait = path.endsWith('-store.ts') || HOLDS_STATE.test(path) || VERBS.has(firstWord);
  if (!BUSINESS_FOLDERS.has(folder) || mayWait || !waits) return [];
  return [`${path}: waits, but is named like a rule; start its name with a verb, or move the waiting to one`];
}

function checkEnvironment(/** @type {ServerFile} */ { path, readsEnvironment }) {
  const mayRead = [`${SERVER}config.ts`, `${SERVER}main.ts`].includes(path);
  return readsEnvironment && !mayRead ? [`${path}: reads process.env; only config.ts and main.ts do`] : [];
}

function checkConnections(/** @type {ServerFile} */ { path, folder, connects }) {
  if (!connects || folder === 'outbound' || CONNECTS.has(path.slice(SERVER.length))) return [];
  return [`${path}: opens connections; call addresses through outbound/, or say in CONNECTS which other one it is`];
}

/** Every table is written by one folder. */
function checkTables(/** @type {ServerFile[]} */ files) {
  /** @type {Map<string, Map<string, string>>} folders that write a table, each with one of its files */
  const writers = new Map();
  const problems = [];
  for (const { path, folder, strings } of files) {
    const tables = strings.flatMap((text) =>
      [...text.matchAll(WRITES)].map(([, table = '']) => table.replaceAll('"', '')),
    );
    for (const table of new Set(tables)) {
      if (table !== GAP) writers.set(table, new Map(writers.get(table)).set(folder, path));
      else if (folder !== 'db') problems.push(`${path}: writes a table whose name is not in the statement`);
    }
  }
  for (const [table, folders] of writers) {
    if (folders.size < 2) continue;
    const places = [...folders].map(([folder, path]) => `${folder}/ (${path})`);
    problems.push(`The table ${table} is written by ${places.join(' and ')}; one folder owns a table`);
  }
  return problems;
}

/**
 * Every function of the database belongs to one folder, and writes only tables of that folder. A trigger that does not end with
 * a release keeps something true, and ARCHITECTURE.md says what.
 */
function checkFunctions(/** @type {string} */ root, /** @type {string[]} */ paths) {
  if (!paths.includes(SCHEMA)) return [];
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const owners = readOwners(architecture);
  const invariants = readInvariants(architecture);
  const found = [
    ...readFileSync(join(root, SCHEMA), 'utf8').matchAll(/^create function (\w+)\([^$]*\$\$([\s\S]*?)\$\$;$/gm),
  ];
  const lasting = found
    .filter(([text, , body = '']) => /\) returns trigger /.test(text) && !body.includes('-- until:'))
    .map(([, name = '']) => name);
  const names = found.map(([, name = '']) => name);
  const listed = owners.flatMap(({ functions }) => functions);
  return [
    ...listed
      .filter((name) => !names.includes(name))
      .map((name) => `ARCHITECTURE.md: names the function ${name}, which ${SCHEMA} does not have`),
    ...lasting
      .filter((name) => !invariants.includes(name))
      .map((name) => `${SCHEMA}: ARCHITECTURE.md has to say what the trigger ${name} keeps true`),
    ...invariants
      .filter((name) => !lasting.includes(name))
      .map((name) => `ARCHITECTURE.md: says what ${name} keeps true, which is no lasting trigger of ${SCHEMA}`),
    ...found.flatMap(([, name = '', body = '']) => {
      const owner = owners.find(({ functions }) => functions.includes(name));
      if (!owner) return [`${SCHEMA}: the function ${name} needs an owner in the table of ARCHITECTURE.md`];
      const tables = [...body.replaceAll(/--.*$/gm, '').matchAll(WRITES)].map(([, table = '']) => table);
      return [...new Set(tables)]
        .filter((table) => !owner.tables.includes(table) && /^[a-z_]+$/.test(table))
        .map(
          (table) => `${SCHEMA}: the function ${name} of ${owner.folder}/ writes ${table}, which another folder owns`,
        );
    }),
  ];
}

/**
 * Reads the code itself, so that comments and words in messages are not taken for code.
 *
 * @param {SourceFile} file
 * @returns {ServerFile}
 */
function readServerFile({ path, text }) {
  const [folder = '', ...below] = path.slice(SERVER.length).split('/');
  /** @type {ServerFile} */
  const found = {
    path,
    folder: below.length > 0 ? folder : '',
    strings: [],
    queries: false,
    waits: false,
    readsEnvironment: false,
    connects: false,
  };
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.strings.push(node.text);
    if (ts.isTemplateExpression(node)) {
      found.strings.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join(GAP),
      );
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      found.queries ||= node.expression.name.text === 'query';
    }
    found.waits ||= ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword || isPromiseType(node);
    found.readsEnvironment ||= ts.isPropertyAccessExpression(node) && node.getText() === 'process.env';
    found.connects ||= opensConnections(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  found.waits ||= found.queries;
  return found;
}

/** Whether it is a call of `fetch`, or the import of something that connects. Types connect to nothing. */
function opensConnections(/** @type {ts.Node} */ node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    return /^(\w+\??\.)*fetch$|^(WebSocket|EventSource)$/.test(node.expression.getText());
  }
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return false;
  const from = node.moduleSpecifier.text;
  const { importClause: clause } = node;
  if (clause?.isTypeOnly) return false;
  if (from === 'undici') return true;
  const connecting = CONNECTING.get(from.replace(/^node:/, ''));
  if (!connecting || !clause) return false;
  const names = clause.namedBindings;
  if (clause.name || !names || !ts.isNamedImports(names)) return true;
  return names.elements.some(
    ({ isTypeOnly, propertyName, name }) => !isTypeOnly && connecting.has((propertyName ?? name).text),
  );
}

function isPromiseType(/** @type {ts.Node} */ node) {
  return ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Promise';
}

function isTest(/** @type {string} */ path) {
  return /\.test\.\w+$/.test(path) || /\/(test|testkit\/service)\//.test(path);
}

function words(/** @type {string} */ list) {
  return new Set(list.split(/\s+/));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const problems = checkSources(root, listed.split('\n').filter(Boolean));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
