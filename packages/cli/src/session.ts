import { join } from 'node:path';
import { type ApiClient, createApiClient } from './api/client.ts';
import { Credentials } from './credentials.ts';
import { Failure, wrongUsage } from './failure.ts';
import type { Output, Screen } from './output.ts';
import { findKey, type ProgramKey } from './program-key.ts';
import { type EnvValues, readEnvFile } from './project/env-file.ts';
import type { Input, Prompts } from './prompts.ts';

export type Flags = { apiUrl?: string; apiKey?: string; yes?: boolean };

/** Everything a command works with. */
export type Session = {
  api: ApiClient;
  out: Output;
  prompts: Prompts;
  /** Whether someone may be present to complete a sign-in, even when prompts are not possible. */
  attended: boolean;
  flags: Flags;
  /** The environment of programs that the command starts. */
  env: EnvValues;
  cwd: string;
  /** What `svc mcp` talks to an assistant over. Everything else is printed with `out`. */
  stdin: Input;
  stdout: Screen;
  credentials: Credentials;
  /** The variables in this folder's `.svc/.env`. */
  project: EnvValues;
  key: ProgramKey | undefined;
  /** For commands that go on until Ctrl-C: aborted by the first one, so that they end in order. */
  untilInterrupted: () => AbortSignal;
};

export type SessionOptions = {
  flags: Flags;
  env: EnvValues;
  cwd: string;
  /** The user's home folder. */
  home: string;
  /** The service this copy of the CLI was downloaded from. */
  downloadedFrom: string | undefined;
  version: string;
  out: Output;
  prompts: Prompts;
  attended: boolean;
  stdin: Input;
  stdout: Screen;
  untilInterrupted: () => AbortSignal;
};

const DEFAULT_API_URL = 'http://localhost:4000';

/** Finds the service, the sign-in and the program key for a command. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { flags, env, cwd, home, downloadedFrom, version, out, prompts, attended, stdin, stdout } = options;
  const { untilInterrupted } = options;
  const project = await readEnvFile(join(cwd, '.svc', '.env'));
  const credentials = new Credentials(home);
  const configured = flags.apiUrl || env.SVC_API_URL || project.SVC_API_URL || downloadedFrom;
  const apiUrl = normalizeUrl(configured || (await credentials.lastApiUrl()) || DEFAULT_API_URL);
  const key = findKey({ apiKey: flags.apiKey, apiUrl: flags.apiUrl }, env, project, sameService);
  const api = createApiClient({ apiUrl, version, out });
  return { api, out, prompts, attended, flags, env, cwd, stdin, stdout, credentials, project, key, untilInterrupted };
}

function sameService(one: string, other: string): boolean {
  return normalizeUrl(one) === normalizeUrl(other);
}

function normalizeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw wrongUsage(`The service URL must start with http:// or https://, not "${text}".`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** The program key; fails with a hint when there is none, or when it is not for this service. */
export function programKey({ key }: Session): string {
  if (key?.isForOtherService) throw keyForOtherService(key);
  if (key) return key.key;
  throw new Failure('No program key found.', {
    hint: 'Run `svc init` in the project, set SVC_API_KEY, or pass --api-key.',
  });
}

/** Keys are secrets of one service. A folder or a variable must not send them to another one. */
function keyForOtherService({ from }: ProgramKey): Failure {
  const [keyIn, urlIn, fix] =
    from === '.svc/.env'
      ? ['.svc/.env', 'the environment', 'Unset SVC_API_URL to use the service in .svc/.env, or set SVC_API_KEY too.']
      : [
          'the environment',
          '.svc/.env',
          'Set SVC_API_URL in the environment too, or unset SVC_API_KEY to use the key in .svc/.env.',
        ];
  return new Failure(`SVC_API_KEY comes from ${keyIn}, but SVC_API_URL from ${urlIn}: the key was not sent.`, {
    code: 'key_for_other_service',
    hint: `${fix} Or pass --api-url.`,
  });
}

/** The program in the path of a route: the one that is named, or the one set up in this folder. */
export function programOf({ project }: Session, { program }: { program?: string }): { program_id: string } {
  const id = program ?? project.SVC_PROGRAM_ID;
  if (id && /^[1-9]\d{0,15}$/.test(id)) return { program_id: id };
  const hint = 'Pass --program <id>. `svc programs` lists your programs.';
  throw wrongUsage(id ? `"${id}" is not a program id.` : 'No program is set up in this folder.', hint);
}

/**
 * The account token for this service: that of the environment, for machines, or of the sign-in. Fails with a hint when there is
 * none, or when the environment has one and only the folder says where it would be sent.
 */
export async function accountToken({ credentials, api, env, flags, project }: Session): Promise<string> {
  if (env.SVC_ACCOUNT_TOKEN) {
    if (flags.apiUrl || env.SVC_API_URL || !project.SVC_API_URL) return env.SVC_ACCOUNT_TOKEN;
    throw new Failure(
      'SVC_ACCOUNT_TOKEN comes from the environment, but SVC_API_URL from .svc/.env: the token was not sent.',
      { code: 'token_for_other_service', hint: 'Set SVC_API_URL in the environment too, or pass --api-url.' },
    );
  }
  const account = await credentials.find(api.apiUrl);
  if (account) return account.token;
  throw new Failure(`Not signed in to ${api.apiUrl}.`, { hint: 'Run `svc login`.' });
}
