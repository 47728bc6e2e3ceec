// The files of the embedded Postgres. Plain JavaScript, because the worker that uses it is.
import fs from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** The part of the engine that gives access to its files. `nfd` is the descriptor of the real file. */
/** @typedef {{ nfd: number, node: { parent: { name: string } } }} OpenFile */
/** @typedef {{ read: Function, write: Function, fsync?: (file: OpenFile) => number }} FileOperations */
/** @typedef {{ NODEFS: { stream_ops: FileOperations, tryFSOperation<Result>(work: () => Result): Result } }} FileSystems */

/**
 * The engine starts with "-F", which turns off every flush. Without it, Postgres decides by itself what has to be on the disk
 * before what. It flushes its log with fsync, because the engine ignores fdatasync.
 */
export const SYNCED = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'];

export const NOT_SYNCED = PGlite.defaultStartParams;

/** A folder whose files are flushed to the disk when Postgres asks for it, which the engine by itself ignores. */
export class StoreFiles extends NodeFS {
  /** @type {() => void} */
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
    const preRun = [...(emscriptenOpts.preRun ?? []), (/** @type {FileSystems} */ engine) => this.#extend(engine)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  /** @param {FileSystems} engine */
  #extend({ NODEFS }) {
    const { read, write } = NODEFS.stream_ops;
    const use = this.#onUse;
    NODEFS.stream_ops.read = (/** @type {unknown[]} */ ...parameters) => {
      use();
      return read(...parameters);
    };
    NODEFS.stream_ops.write = (/** @type {unknown[]} */ ...parameters) => {
      use();
      return write(...parameters);
    };
    NODEFS.stream_ops.fsync = (file) => {
      use();
      NODEFS.tryFSOperation(() => flush(file));
      return 0;
    };
  }
}

/**
 * Segments of the log have their final size before they are used, so only their contents need to be flushed.
 *
 * @param {OpenFile} file
 */
function flush({ nfd, node }) {
  if (node.parent.name === 'pg_wal') fs.fdatasyncSync(nfd);
  else fs.fsyncSync(nfd);
}
