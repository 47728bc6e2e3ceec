import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';

export type EnvValues = Record<string, string | undefined>;

/** The text of a file, or undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

export async function readEnvFile(path: string): Promise<EnvValues> {
  const text = await readIfThere(path);
  return text === undefined ? {} : parseEnv(text);
}

/** The text with these variables set; every other line stays as it is. */
export function withValues(text: string, values: Record<string, string>): string {
  let result = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^(?:export +)?${name} *=.*$`, 'm');
    result = line.test(result) ? result.replace(line, () => `${name}=${value}`) : `${result}${name}=${value}\n`;
  }
  return result;
}

/** Writes a file that only its owner can read, whole or not at all. */
export async function writeSecret(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(beside, text, { mode: 0o600 });
    // The mode above is cut by the umask of whoever runs this, and a file left over keeps its own.
    await chmod(beside, 0o600);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
