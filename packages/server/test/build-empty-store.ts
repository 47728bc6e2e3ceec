import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../build-empty-store.mjs', import.meta.url));

/** Makes the empty store that every embedded one starts from, where that has not been done. */
export default async function buildEmptyStore(): Promise<void> {
  await promisify(execFile)(process.execPath, [SCRIPT]);
}
