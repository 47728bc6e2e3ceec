// The files of the embedded Postgres. Plain JavaScript, because the worker that uses it is.
import fs from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** How the engine sees a file. `nfd` is the descriptor of the real one. */
/** @typedef {{ nfd: number, node: { name: string, parent: { name: string } } }} OpenFile */
/** @typedef {(file: OpenFile, ...rest: unknown[]) => number} Operation */
/** @typedef {{ stream_ops: { read: Operation, write: Operation, fsync?: Operation }, tryFSOperation(work: () => void): void }} RealFiles */

/** The engine's own parameters. They contain "-F", which turns off every flush. */
export const NOT_SYNCED = PGlite.defaultStartParams;
/**
 * Postgres decides by itself what has to be on the disk before what. It flushes its log with fsync, because the engine
 * ignores fdatasync.
 */
export const SYNCED = [...NOT_SYNCED.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'];

/** A folder whose files are flushed to the disk when Postgres asks for it, which the engine ignores by itself. */
export class StoreFiles extends NodeFS {
  /** Off while a new store is made: that is flushed as a whole, which takes a fifth of the time. */
  isFlushing = true;
  /** How many segments of the log have been begun. */
  segments = 0;
  #segment = '';
  #onUse;

  /**
   * @param {string} folder
   * @param {() => void} onUse called whenever a file is read, written or flushed
   */
  constructor(folder, onUse) {
    super(folder);
    this.#onUse = onUse;
  }

  /**
   * @param {PGlite} store
   * @param {Parameters<NodeFS['init']>[1]} options
   * @returns {ReturnType<NodeFS['init']>}
   * @override
   */
  async init(store, options) {
    const { emscriptenOpts } = await super.init(store, options);
    const extend = (/** @type {{ NODEFS: RealFiles }} */ { NODEFS }) => this.#extend(NODEFS);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), extend] } };
  }

  /** @param {RealFiles} files */
  #extend(files) {
    const { read, write } = files.stream_ops;
    files.stream_ops.read = (...parameters) => {
      this.#onUse();
      return read(...parameters);
    };
    files.stream_ops.write = (file, ...rest) => {
      this.#onUse();
      if (isLog(file)) this.#countSegment(file.node.name);
      return write(file, ...rest);
    };
    files.stream_ops.fsync = (file) => {
      this.#onUse();
      if (this.isFlushing) files.tryFSOperation(() => flush(file));
      return 0;
    };
  }

  /** @param {string} segment */
  #countSegment(segment) {
    const isNew = segment !== this.#segment && /^[0-9A-F]{24}$/.test(segment);
    if (!isNew) return;
    this.#segment = segment;
    this.segments += 1;
  }
}

/** @param {OpenFile} file */
function isLog({ node }) {
  return node.parent.name === 'pg_wal';
}

/**
 * Segments of the log have their final size before they are used, so only their contents need to be flushed.
 *
 * @param {OpenFile} file
 */
function flush(file) {
  if (isLog(file)) fs.fdatasyncSync(file.nfd);
  else fs.fsyncSync(file.nfd);
}

const FLUSHES_AT_A_TIME = 16;

/**
 * Flushes everything in the folder, and the folder's own entry and that of the one it is in.
 *
 * @param {string} folder
 */
export async function flushFolder(folder) {
  const names = await readdir(folder, { recursive: true });
  const paths = [...names.map((name) => join(folder, name)), folder, dirname(folder), dirname(dirname(folder))];
  const flushNext = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const file = await open(path, 'r');
      await file.sync().finally(() => file.close());
    }
  };
  await Promise.all(Array.from({ length: FLUSHES_AT_A_TIME }, flushNext));
}
