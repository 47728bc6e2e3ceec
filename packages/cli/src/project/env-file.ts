import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';

export type EnvValues = Record<string, string | undefined>;

/** The text of a file, or undefined when it does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

export async function readEnvFile(path: string): Promise<EnvValues> {
  const text = await readIfExists(path);
  return text === undefined ? {} : parseEnv(text);
}

/** Sets these variables in the text of an env file and leaves every other line unchanged. */
export function setValues(text: string, values: Record<string, string>): string {
  let result = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^(?:export +)?${name} *=.*$`, 'm');
    result = line.test(result) ? result.replace(line, () => `${name}=${value}`) : `${result}${name}=${value}\n`;
  }
  return result;
}

/** Writes a file that only its owner can read, atomically. */
export async function writeSecret(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600 });
    // writeFile applies the umask, and keeps the mode of a file that already exists.
    await chmod(temporary, 0o600);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
