import { writeFile } from 'node:fs/promises';
import { readIfThere } from './env-file.ts';

const SECRETS = ['.svc/.env', '.svc/.env.*'];
const TEMPLATE = '!.svc/.env.example';

/** The text of an ignore file with the entries for the secrets, each once, and the template let through after them. */
export function withIgnored(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const missing = SECRETS.filter((entry) => !lines.includes(entry));
  // Later lines win in an ignore file, so the exception must follow what it is an exception to.
  const lastSecret = Math.max(...SECRETS.map((entry) => lines.lastIndexOf(entry)));
  if (missing.length > 0 || lines.lastIndexOf(TEMPLATE) < lastSecret) missing.push(TEMPLATE);
  if (missing.length === 0) return text;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? text : text + end;
  return start + missing.map((entry) => entry + end).join('');
}

export async function ignoreSecrets(path: string): Promise<void> {
  const text = (await readIfThere(path)) ?? '';
  const next = withIgnored(text);
  if (next !== text) await writeFile(path, next);
}
