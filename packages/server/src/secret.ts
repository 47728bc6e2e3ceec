import { createHmac, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { makePrivate } from './db/engines/private-folder.ts';
import { createEncryption, type Encryption } from './encryption.ts';

/** The configured secret, or one that is generated on the first start and kept in the data folder. */
export async function loadSecret(config: Config): Promise<string> {
  if (config.secret) return config.secret;
  const path = join(config.dataDir, 'secret');
  makePrivate(config.dataDir);
  try {
    await writeFile(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}

/** A secret for one purpose. Leaking it reveals nothing about the others. */
export function deriveSecret(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** What hashes and encrypts stored data. */
export function dataSecrets(secret: string): { emailSecret: string; encryption: Encryption } {
  return {
    emailSecret: deriveSecret(secret, 'e-mail hash'),
    encryption: createEncryption(deriveSecret(secret, 'secrets at rest')),
  };
}

export async function loadDataSecrets(config: Config): Promise<ReturnType<typeof dataSecrets>> {
  return dataSecrets(await loadSecret(config));
}
