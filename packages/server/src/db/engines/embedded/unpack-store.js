// Plain JavaScript, because the worker that uses it is.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The size of a header in a tar archive; contents are padded to a multiple of it. */
const BLOCK = 512;
/** How much is unpacked at a time. The default is so small that joining the parts takes as long as unpacking them. */
const CHUNK = 4 * 1_048_576;
/** With this file, a folder counts as a store. */
const MARK = 'PG_VERSION';

/**
 * Copies a packed store into a folder, for the user who runs the service only. The engine could do so too, in four times the
 * time. A copy that was interrupted is not taken for a store, and is made again.
 *
 * @param {string} archive the path of a gzipped tar archive
 * @param {string} folder
 */
export function unpackStore(archive, folder) {
  const entries = listEntries(gunzipSync(readFileSync(archive), { chunkSize: CHUNK }));
  const isMark = (/** @type {Entry} */ { name }) => name === MARK;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The archive lists a folder before what is in it.
  for (const { name, isFolder, contents } of entries.toSorted((a, b) => Number(isMark(a)) - Number(isMark(b)))) {
    const path = join(folder, name);
    if (isFolder) mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, contents, { mode: 0o600 });
  }
}

/** @typedef {{ name: string, isFolder: boolean, contents: Buffer }} Entry */

/**
 * @param {Buffer} tar
 * @returns {Entry[]}
 */
function listEntries(tar) {
  const entries = [];
  for (let at = 0; tar[at]; ) {
    const text = (/** @type {number} */ from, /** @type {number} */ length) =>
      tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8);
    const start = at + BLOCK;
    entries.push({
      name: join(text(345, 155), text(0, 100)).replace(/^\//, ''),
      isFolder: text(156, 1) === '5',
      contents: tar.subarray(start, start + size),
    });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}
