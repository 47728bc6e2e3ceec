import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cliStatus, manageMe, type ReadinessReply, type ReplyOf, ROTATION_HINT, trackClick } from '@svc/contract';
import { asFailure } from './failure.ts';
import { readIfExists } from './project/env-file.ts';
import { addIgnoreEntries } from './project/ignore-file.ts';
import { programKey, type Session } from './session.ts';

export type Check = {
  name: string;
  status: 'pass' | 'fail' | 'warn' | 'wait' | 'skip';
  message: string;
  next_action?: string;
  /** When the service stops accepting the key, if it must be replaced. */
  rotate_by?: string;
};

const failed = (name: string, thrown: unknown, defaultHint: string): Check => {
  const { message, parts } = asFailure(thrown);
  return { name, status: 'fail', message, next_action: parts.hint ?? defaultHint };
};

export async function checkService({ api }: Session): Promise<Check> {
  const name = 'service';
  try {
    const response = await api.send(new URL(`${api.apiUrl}/readyz`), { method: 'GET' });
    const body = (await response.json().catch(() => ({}))) as { status?: string; message?: string };
    if (body.status === 'ready') return { name, status: 'pass', message: `${api.apiUrl} is ready` };
    const message = body.message ?? `${api.apiUrl} responds, but not like this service`;
    return {
      name,
      status: 'fail',
      message,
      next_action: 'Check the URL (--api-url, SVC_API_URL) and that the service is running.',
    };
  } catch (error) {
    return failed(name, error, 'Check the service URL.');
  }
}

export async function checkAccount({ api, credentials }: Session): Promise<Check> {
  const name = 'account';
  const account = await credentials.find(api.apiUrl);
  const next_action = 'Run `svc login`.';
  if (!account) return { name, status: 'skip', message: 'not signed in; needed only for init, programs and explain' };
  try {
    const { data } = await api.call(manageMe, { token: account.token });
    return { name, status: 'pass', message: `signed in as ${data.user.email}` };
  } catch (error) {
    return { name, status: 'warn', message: asFailure(error).message, next_action };
  }
}

/** Checks that the key file is readable by its owner only and ignored by git. */
export async function checkFiles({ cwd }: Session): Promise<Check> {
  const name = 'files';
  const found = await stat(join(cwd, '.svc', '.env')).catch(() => undefined);
  if (!found) return { name, status: 'skip', message: 'no .svc/.env in this folder' };
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const message = '.svc/.env is readable by other users on this machine';
    return { name, status: 'warn', message, next_action: 'Run `chmod 600 .svc/.env`.' };
  }
  const ignored = (await readIfExists(join(cwd, '.gitignore'))) ?? '';
  if (addIgnoreEntries(ignored) !== ignored) {
    const message = '.gitignore is missing entries for .svc/.env';
    return {
      name,
      status: 'warn',
      message,
      next_action: 'Add `.svc/.env`, `.svc/.env.*` and `!.svc/.env.example` to .gitignore.',
    };
  }
  return { name, status: 'pass', message: '.svc/.env is private and ignored by git' };
}

type Status = ReplyOf<typeof cliStatus>['data'];

export async function checkKey(session: Session): Promise<{ check: Check; program?: Status }> {
  const name = 'key';
  const next_action = 'Run `svc init`, set SVC_API_KEY, or pass --api-key.';
  const { api, key, project } = session;
  if (!key) return { check: { name, status: 'fail', message: 'no program key found', next_action } };
  try {
    const reply = await api.call(cliStatus, { token: programKey(session) });
    const { data } = reply;
    const expected = project.SVC_PROGRAM_ID;
    if (expected && expected !== String(data.program_id)) {
      const message = `the key from ${key.from} belongs to program ${data.program_id}, but .svc/.env names program ${expected}`;
      return {
        check: { name, status: 'fail', message, next_action: 'Use the key for the program named in .svc/.env.' },
      };
    }
    const message = `program ${data.program_id}, ${data.name} (key from ${key.from})`;
    return { check: { name, ...deadlineOf(reply, message) }, program: data };
  } catch (error) {
    return { check: failed(name, error, `Replace the key from ${key.from}.`) };
  }
}

type Warned = { warnings?: { rotate_by?: string }[] };

/** A key that must be rotated still works, but the integration ends with it. */
function deadlineOf(reply: object, message: string): Omit<Check, 'name'> {
  const { rotate_by } = (reply as Warned).warnings?.[0] ?? {};
  if (!rotate_by) return { status: 'pass', message };
  return {
    status: 'warn',
    message: `${message}: stops working at ${rotate_by}`,
    rotate_by,
    next_action: ROTATION_HINT,
  };
}

/** Whether anything has arrived from the site itself. The service's own tests do not count. */
export function checkSite({ gates: { tracking } }: ReadinessReply, { domain, dns_verified: hasClicks }: Status): Check {
  const name = 'site';
  const { checked_at: at, cookie_set_by: setBy, next_action } = tracking;
  if (!at)
    return { name, status: 'wait', message: `nothing has arrived from ${domain} or its server yet`, next_action };
  if (hasClicks) {
    const cookie = setBy === 'server' ? 'your server sets the click cookie' : 'the tracker sets the click cookie';
    return { name, status: 'pass', message: `pages report clicks; ${cookie}; last event received at ${at}` };
  }
  return {
    name,
    status: 'wait',
    message: `no page of ${domain} has reported a click yet; last event of the server received at ${at}`,
    next_action: 'Add the tracker to every page a visitor can land on, and open the test link: `svc links add --test`.',
  };
}

/** Checks that pages on this origin may report, by sending a test click from it. Test clicks count nowhere. */
export async function checkOrigin({ api, key }: Session, origin: string): Promise<Check> {
  const name = 'origin';
  try {
    const body = { additional_data: { test_mode: true } } as never;
    await api.call(trackClick, { token: key?.key, headers: { Origin: origin }, body });
    return { name, status: 'pass', message: `pages on ${origin} may report` };
  } catch (error) {
    const { message } = asFailure(error);
    const next_action = `Run \`svc origins add ${origin}\`, or add it in the dashboard, under Settings.`;
    return { name, status: 'fail', message: `${origin}: ${message}`, next_action };
  }
}
