import { join } from 'node:path';
import { type ApiClient, createApiClient } from './api/client.ts';
import { Credentials } from './credentials.ts';
import { Failure, wrongUsage } from './failure.ts';
import type { Output } from './output.ts';
import { type EnvValues, readEnvFile } from './project/env-file.ts';
import type { Prompts } from './prompts.ts';

/** Where a program key was found. */
type ProgramKey = { key: string; from: '--api-key' | 'SVC_API_KEY' | '.svc/.env' };

export type Flags = { apiUrl?: string; apiKey?: string; yes?: boolean };

/** What a command gets to work with. */
export type Session = {
  api: ApiClient;
  out: Output;
  ask: Prompts;
  /** Whether somebody may be reading along who can complete a sign-in, also where no question can be asked. */
  attended: boolean;
  flags: Flags;
  cwd: string;
  credentials: Credentials;
  /** What `.svc/.env` of this folder says. */
  project: EnvValues;
  key: ProgramKey | undefined;
};

export type Surroundings = {
  flags: Flags;
  env: EnvValues;
  cwd: string;
  /** The service this copy of the CLI was downloaded from. */
  bornAt: string | undefined;
  version: string;
  out: Output;
  ask: Prompts;
  attended: boolean;
};

const DEFAULT_API_URL = 'http://localhost:4000';

export async function openSession(given: Surroundings): Promise<Session> {
  const { flags, env, cwd, bornAt, version, out } = given;
  const project = await readEnvFile(join(cwd, '.svc', '.env'));
  const credentials = new Credentials();
  const named = flags.apiUrl || env.SVC_API_URL || project.SVC_API_URL || bornAt;
  const apiUrl = normalUrl(named || (await credentials.lastApiUrl()) || DEFAULT_API_URL);
  const key = findKey(flags, env, project);
  const api = createApiClient({ apiUrl, version, out });
  return { api, out, ask: given.ask, attended: given.attended, flags, cwd, credentials, project, key };
}

function findKey(flags: Flags, env: EnvValues, project: EnvValues): ProgramKey | undefined {
  if (flags.apiKey) return { key: flags.apiKey, from: '--api-key' };
  if (env.SVC_API_KEY) return { key: env.SVC_API_KEY, from: 'SVC_API_KEY' };
  if (project.SVC_API_KEY) return { key: project.SVC_API_KEY, from: '.svc/.env' };
  return undefined;
}

function normalUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw wrongUsage(`The address of the service must be an http or https URL, not "${text}".`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** The program key, or what to do to get one. */
export function programKey({ key }: Session): string {
  if (key) return key.key;
  throw new Failure('No program key here.', {
    hint: 'Run `svc init` in the project, set SVC_API_KEY, or give --api-key.',
  });
}

/** The account token for this service, or what to do to get one. */
export async function accountToken({ credentials, api }: Session): Promise<string> {
  const account = await credentials.find(api.apiUrl);
  if (account) return account.token;
  throw new Failure(`Not signed in to ${api.apiUrl}.`, { hint: 'Run `svc login`.' });
}
