import { writeFile } from 'node:fs/promises';
import { readIfExists } from './env-file.ts';

const SECRETS = ['.svc/.env', '.svc/.env.*'];
const EXAMPLE = '!.svc/.env.example';

/** Adds the missing ignore entries for the key files, and after them the exception for the example file. */
export function addIgnoreEntries(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const missing = SECRETS.filter((entry) => !lines.includes(entry));
  // Later lines win in an ignore file, so the exception must come after the entries.
  const lastSecret = Math.max(...SECRETS.map((entry) => lines.lastIndexOf(entry)));
  if (missing.length > 0 || lines.lastIndexOf(EXAMPLE) < lastSecret) missing.push(EXAMPLE);
  if (missing.length === 0) return text;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? text : text + end;
  return start + missing.map((entry) => entry + end).join('');
}

/** Makes git ignore the key files of `.svc`. */
export async function ignoreSecrets(path: string): Promise<void> {
  const text = (await readIfExists(path)) ?? '';
  const next = addIgnoreEntries(text);
  if (next !== text) await writeFile(path, next);
}
