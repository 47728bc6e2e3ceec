import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cliAuthPoll, cliAuthStart, MAX_IDENTIFIER_CHARS, type ReplyOf } from '@svc/contract';
import type { Account } from './credentials.ts';
import { Failure } from './failure.ts';
import { openBrowser } from './open-browser.ts';
import type { Session } from './session.ts';

const POLL_MS = 2_000;

export type StartedSignIn = ReplyOf<typeof cliAuthStart>['data'];

/** Starts a login and prints where to complete it. */
export async function startSignIn({ api, out }: Session): Promise<StartedSignIn> {
  const { data } = await api.call(cliAuthStart, { body: { device_name: hostname().slice(0, MAX_IDENTIFIER_CHARS) } });
  const expiresAt = new Date(data.expires_at).toLocaleTimeString();
  out.warn(
    `Sign in at   ${data.auth_url}\nYour code    ${data.user_code}   (type it on the page; valid until ${expiresAt})`,
  );
  return data;
}

/** Waits until the login is completed in the browser, and saves the account. */
export async function finishSignIn({ api, out, credentials }: Session, state: string): Promise<Account> {
  const polled = await out.withSpinner('Waiting for the sign-in in the browser', async () => {
    for (;;) {
      const { data } = await api.call(cliAuthPoll, { query: { state } });
      if (data.status !== 'pending') return data;
      await sleep(POLL_MS);
    }
  });
  if (polled.status === 'expired' || !polled.token) {
    throw new Failure('The login was not completed within five minutes.', {
      code: 'login_expired',
      hint: 'Run `svc login` again.',
    });
  }
  const account = { token: polled.token, email: polled.email ?? '', advertiser_id: polled.advertiser_id ?? null };
  await credentials.save(api.apiUrl, account);
  return account;
}

/** Runs a whole login. Opens the browser when `browser` is true, or in interactive mode when it is not set. */
export async function signIn(session: Session, { browser }: { browser?: boolean } = {}): Promise<Account> {
  const started = await startSignIn(session);
  if (browser ?? session.prompts.interactive) openBrowser(started.auth_url, session.env);
  return finishSignIn(session, started.state);
}

/** Runs `work` with an account token. Signs in when there is none or it has expired, unless the session is unattended. */
export async function withAccount<Result>(session: Session, work: (token: string) => Promise<Result>): Promise<Result> {
  const account = await session.credentials.find(session.api.apiUrl);
  if (!account && !session.attended) {
    throw new Failure(`Not signed in to ${session.api.apiUrl}.`, { status: 401, hint: 'Run `svc login` first.' });
  }
  if (!account) return work((await signIn(session)).token);
  try {
    return await work(account.token);
  } catch (error) {
    if (!session.attended || !(error instanceof Failure) || error.parts.status !== 401) throw error;
    session.out.note(error.message);
    return work((await signIn(session)).token);
  }
}
