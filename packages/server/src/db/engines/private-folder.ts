import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ExpectedError } from '../../expected-error.ts';

/** What the service keeps in its data folder. Nothing else in there is touched. */
const OWN_NAMES = ['secret', 'control.sock', 'control.lock', 'postgres'];
const PERMISSIONS = 0o777;
const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Makes the data folder, and what the service keeps in it, accessible only to the user who runs the service, whatever it was
 * before: 0700 for folders, 0600 for files. Unrelated files are left alone, in case the folder is used for other things too.
 */
export function makePrivate(folder: string): void {
  makeFolder(resolve(folder));
  // The system has no such permissions.
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(folder);
  const user = process.getuid?.();
  if (mode & STICKY || (user !== 0 && uid !== user)) throw notOurs(folder);
  if (mode & OF_OTHERS) chmodSync(folder, mode & PERMISSIONS & ~OF_OTHERS);
  const present = new Set(readdirSync(folder));
  for (const name of OWN_NAMES) if (present.has(name)) closeToOthers(join(folder, name));
}

/** Node's own way to create the folders above never ends where none can be created, such as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (existsSync(folder)) return;
    throw new ExpectedError(`SVC_DATA_DIR: ${folder} cannot be created (${(error as Error).message})`);
  }
}

function closeToOthers(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // Changing the permissions of a link would change those of its target.
  if (!stats || stats.isSymbolicLink()) return;
  if (stats.mode & OF_OTHERS) chmodSync(path, stats.mode & PERMISSIONS & ~OF_OTHERS);
  if (stats.isDirectory()) for (const name of readdirSync(path)) closeToOthers(join(path, name));
}

function notOurs(folder: string): ExpectedError {
  return new ExpectedError(
    `SVC_DATA_DIR: ${folder} is shared or belongs to another user, so its content cannot be kept private. ` +
      'Give it to the user who runs the service, or name a folder inside it, which is then created.',
  );
}
