// Runs the embedded Postgres outside the HTTP thread. Plain JavaScript, so that it runs unchanged from source and from dist.
import fs, { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, parse, protocol } from '@electric-sql/pglite';
import { flushFolder, NOT_SYNCED, StoreFiles, SYNCED } from './store-files.js';
import { unpackStore } from './unpack-store.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const GZIP = { type: 'application/x-gzip' };
/** What Postgres last said before it stopped. */
let lastWords = '';
// By default, V8 optimizes half of the engine while it starts, which takes longer than the start itself. What runs often is
// still optimized within seconds.
setFlagsFromString('--wasm-tiering-budget=100000000');
// With nothing else alive, Node would delay the first request until V8 has optimized the whole engine.
port.ref();
// The engine makes its files accessible to everyone and sets their mode explicitly, which bypasses the umask. They are for
// the user who runs the service.
const { chmodSync, fchmodSync } = fs;
fs.chmodSync = (path, mode) => chmodSync(path, Number(mode) & 0o700);
fs.fchmodSync = (file, mode) => fchmodSync(file, Number(mode) & 0o700);

/** @type {import('./engine.ts').EngineOptions & { fileUses: Int32Array }} */
const { dataDir, template, settings, isSynced, checkpointSegments, fileUses } = workerData;
const files = dataDir.startsWith('memory://') ? null : new StoreFiles(dataDir, () => Atomics.add(fileUses, 0, 1));
const SYNCED_MARK = `${dataDir}.synced`;
let checkpointAt = checkpointSegments;
const store = await open().catch(crash);
// Postgres cannot go on after these, and the engine would repeat the same message forever.
const { _PostgresMainLoopOnce: runMessage } = store.Module;
store.Module._PostgresMainLoopOnce = () => {
  try {
    runMessage();
  } catch (error) {
    if (isCrash(error)) crash(error);
    throw error;
  }
};
await store.exec(settings);

async function open() {
  const isNew = !existsSync(join(dataDir, 'PG_VERSION'));
  if (isNew || !isSynced) fs.rmSync(SYNCED_MARK, { force: true });
  if (files) files.isFlushing = !isNew;
  const copied = isNew && template && existsSync(template) ? template : null;
  if (copied && files) unpackStore(copied, dataDir);
  const opened = await PGlite.create({
    ...(files ? { fs: files } : { dataDir }),
    ...(copied && !files && { loadDataDir: new Blob([await readFile(copied)], GZIP) }),
    startParams: isSynced ? SYNCED : NOT_SYNCED,
    onStderr: noteLastWords,
  });
  if (files && isSynced) await flushOnce(files);
  return opened;
}

/** Flushes what was written while nothing was flushed. The mark says that there is no such thing. */
async function flushOnce(/** @type {StoreFiles} */ files) {
  files.isFlushing = true;
  if (existsSync(SYNCED_MARK)) return;
  await flushFolder(dataDir);
  fs.writeFileSync(SYNCED_MARK, '', { mode: 0o600 });
}

const { serialize } = protocol;
const SYNC = serialize.sync();
/** Describes the columns of a bound statement and runs it. */
const RUN = [serialize.describe({ type: 'P' }), serialize.execute({}), SYNC];
/** More than the service uses; statements beyond this limit are planned on every run. */
const MAX_PREPARED = 1_000;
/** @type {Map<string, { name: string, types: number[] }>} */
const prepared = new Map();

/**
 * Plans a statement once and reuses the plan, as the driver of a real server does: planning is most of the work here.
 * @param {string} sql
 * @param {unknown[]} params
 */
async function runPrepared(sql, params) {
  const statement = prepared.get(sql) ?? (await prepare(sql));
  const values = params.map((value, index) => toText(value, statement.types[index] ?? 0));
  const messages = await send(serialize.bind({ statement: statement.name, values }), ...RUN);
  return parse.parseResults(messages, store.parsers)[0]?.rows ?? [];
}

/** @param {string} sql */
async function prepare(sql) {
  const isKept = prepared.size < MAX_PREPARED;
  // A statement without a name is replaced by the next one.
  const name = isKept ? `s${prepared.size}` : '';
  const messages = await send(serialize.parse({ name, text: sql }), serialize.describe({ type: 'S', name }), SYNC);
  const statement = { name, types: parse.parseDescribeStatementResults(messages) };
  if (isKept) prepared.set(sql, statement);
  return statement;
}

/**
 * @param {unknown} value
 * @param {number} type
 */
function toText(value, type) {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return timeText(value);
  return store.serializers[type]?.(value) ?? String(value);
}

/**
 * A time as Postgres reads it: unlike in ISO 8601, years before the first have an era and years after 9999 no sign.
 * @param {Date} time
 */
function timeText(time) {
  const year = time.getUTCFullYear();
  const rest = time.toISOString().slice(-20);
  return `${String(year > 0 ? year : 1 - year).padStart(4, '0')}${rest}${year > 0 ? '' : ' BC'}`;
}

/** @param {Uint8Array[]} messages */
async function send(...messages) {
  const reply = await store.execProtocol(Buffer.concat(messages), { throwOnError: false });
  const error = reply.messages.find(({ name }) => name === 'error');
  if (error) throw error;
  return reply.messages;
}

/** @param {{ sql: string, params?: unknown[], begins?: boolean }} request */
async function execute({ sql, params, begins }) {
  if (begins) await store.exec('begin');
  if (!params) return (await store.exec(sql)).at(-1)?.rows ?? [];
  return runPrepared(sql, params);
}

/** @param {string} line */
function noteLastWords(line) {
  const [, words] = /\b(?:PANIC|FATAL): +(.*)/.exec(line) ?? [];
  lastWords = words ?? lastWords;
  return true;
}

/**
 * Whether Postgres has ended, by itself or because of a fault of the engine. Its ordinary errors have the status 100.
 *
 * @param {unknown} error
 */
function isCrash(error) {
  const { name, status } = Object(error);
  return name === 'RuntimeError' || (name === 'ExitStatus' && status !== 100);
}

/**
 * Ends this thread, in the middle of whatever it does. The service then starts another one.
 *
 * @param {unknown} error
 * @returns {never}
 */
function crash(error) {
  port.postMessage({ crash: lastWords || Object(error).message });
  process.exit(1);
}

/** @param {{ id: number, sql: string, params?: unknown[], begins?: boolean }} request */
async function run(request) {
  try {
    port.postMessage({ id: request.id, rows: await execute(request) });
  } catch (error) {
    if (isCrash(error)) crash(error);
    const { message, code, constraint } = /** @type {Error & { code?: string, constraint?: string }} */ (error);
    port.postMessage({ id: request.id, error: { message, code, constraint } });
  }
}

/** @param {{ id: number, sql: string, params?: unknown[], begins?: boolean, listen?: string, close?: boolean }} request */
async function handle(request) {
  if (request.listen) {
    const channel = request.listen;
    await store.listen(channel, (payload) => port.postMessage({ channel, payload }));
    port.postMessage({ id: request.id, rows: [] });
  } else if (request.close) {
    await store.close();
    port.postMessage({ id: request.id, rows: [] });
    port.close();
  } else {
    await run(request);
  }
}

/** Without a server, Postgres makes no checkpoint by itself: its log would grow, and with it the time to recover. */
async function keepLogShort() {
  if (!files || files.segments < checkpointAt || store.closed || store.isInTransaction()) return;
  checkpointAt = files.segments + checkpointSegments;
  await store.exec('checkpoint').catch((error) => isCrash(error) && crash(error));
}

// One request at a time, in the order they came.
let last = Promise.resolve();
port.on('message', (request) => {
  last = last.then(() => handle(request)).then(keepLogShort);
});
port.postMessage({ isReady: true });
