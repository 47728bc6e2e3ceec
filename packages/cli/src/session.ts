import { join } from 'node:path';
import { type ApiClient, createApiClient } from './api/client.ts';
import { Credentials } from './credentials.ts';
import { Failure, wrongUsage } from './failure.ts';
import type { Output } from './output.ts';
import { type EnvValues, readEnvFile } from './project/env-file.ts';
import type { Prompts } from './prompts.ts';

/** A program key and where it was found. */
export type ProgramKey = { key: string; from: '--api-key' | 'SVC_API_KEY' | '.svc/.env' };

export type Flags = { apiUrl?: string; apiKey?: string; yes?: boolean };

/** Everything a command works with. */
export type Session = {
  api: ApiClient;
  out: Output;
  prompts: Prompts;
  /** Whether a person may be there to complete a sign-in, even when prompts are not possible. */
  attended: boolean;
  flags: Flags;
  cwd: string;
  credentials: Credentials;
  /** The variables in this folder's `.svc/.env`. */
  project: EnvValues;
  key: ProgramKey | undefined;
};

export type SessionOptions = {
  flags: Flags;
  env: EnvValues;
  cwd: string;
  /** The service this copy of the CLI was downloaded from. */
  downloadedFrom: string | undefined;
  version: string;
  out: Output;
  prompts: Prompts;
  attended: boolean;
};

const DEFAULT_API_URL = 'http://localhost:4000';

/** Finds the service, the sign-in and the program key for a command. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { flags, env, cwd, downloadedFrom, version, out, prompts, attended } = options;
  const project = await readEnvFile(join(cwd, '.svc', '.env'));
  const credentials = new Credentials();
  const configured = flags.apiUrl || env.SVC_API_URL || project.SVC_API_URL || downloadedFrom;
  const apiUrl = normalizeUrl(configured || (await credentials.lastApiUrl()) || DEFAULT_API_URL);
  const key = findKey(flags, env, project);
  const api = createApiClient({ apiUrl, version, out });
  return { api, out, prompts, attended, flags, cwd, credentials, project, key };
}

function findKey(flags: Flags, env: EnvValues, project: EnvValues): ProgramKey | undefined {
  if (flags.apiKey) return { key: flags.apiKey, from: '--api-key' };
  if (env.SVC_API_KEY) return { key: env.SVC_API_KEY, from: 'SVC_API_KEY' };
  if (project.SVC_API_KEY) return { key: project.SVC_API_KEY, from: '.svc/.env' };
  return undefined;
}

function normalizeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw wrongUsage(`The service URL must start with http:// or https://, not "${text}".`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** The program key; fails with a hint when there is none. */
export function programKey({ key }: Session): string {
  if (key) return key.key;
  throw new Failure('No program key found.', {
    hint: 'Run `svc init` in the project, set SVC_API_KEY, or pass --api-key.',
  });
}

/** The account token for this service; fails with a hint when nobody is signed in. */
export async function accountToken({ credentials, api }: Session): Promise<string> {
  const account = await credentials.find(api.apiUrl);
  if (account) return account.token;
  throw new Failure(`Not signed in to ${api.apiUrl}.`, { hint: 'Run `svc login`.' });
}
