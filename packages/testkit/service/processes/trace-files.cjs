// Loaded into a service before its own code, in every thread. Writes down in which order the log of the embedded store is
// written and flushed and requests are answered. While SVC_TEST_HANG names a pipe, flushing the log waits for its other end.
const fs = require('node:fs');
const { ServerResponse } = require('node:http');
const { basename, dirname } = require('node:path');

const { openSync, writeSync, fdatasyncSync, fsyncSync, renameSync, existsSync, closeSync } = fs;
const trace = openSync(String(process.env.SVC_TEST_TRACE), 'a');
const hang = String(process.env.SVC_TEST_HANG);
/** @type {Map<number, string>} */
const paths = new Map();

/** @param {string[]} words */
const note = (...words) => writeSync(trace, `${words.join(' ')}\n`);
/** @param {string} path */
const isLog = (path) => basename(dirname(path)) === 'pg_wal';
/** @param {number} file */
const pathOf = (file) => paths.get(file) ?? '';

fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest);
  paths.set(file, String(path));
  return file;
};

fs.writeSync = (/** @type {number} */ file, /** @type {any} */ bytes, /** @type {any[]} */ ...rest) => {
  const path = pathOf(file);
  if (isLog(path)) {
    const [offset, length] = rest;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + offset, length).toString('latin1');
    note('write', basename(path), ...new Set(text.match(/~\d+~/g)));
  }
  return writeSync(file, bytes, ...rest);
};

/** @param {(file: number) => void} flush */
const traced = (flush) => (/** @type {number} */ file) => {
  const path = pathOf(file);
  if (isLog(path) && existsSync(hang)) closeSync(openSync(hang, 'r'));
  flush(file);
  if (isLog(path)) note('flush', basename(path));
  if (basename(path) === 'pg_wal') note('flush-folder');
};
fs.fdatasyncSync = traced(fdatasyncSync);
fs.fsyncSync = traced(fsyncSync);

fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (isLog(String(to))) note('rename', basename(String(to)));
};

const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = /** @type {any} */ (
  /** @this {ServerResponse} */
  function answer(/** @type {any[]} */ ...body) {
    note('answer', String(this.req.headers['x-request-id']), String(this.statusCode));
    return end.apply(this, /** @type {any} */ (body));
  }
);
