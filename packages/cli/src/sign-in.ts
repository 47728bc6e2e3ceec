import { setTimeout as sleep } from 'node:timers/promises';
import { cliAuthPoll, cliAuthStart, type ReplyOf } from '@svc/contract';
import type { Account } from './credentials.ts';
import { Failure } from './failure.ts';
import { openBrowser } from './open-browser.ts';
import type { Session } from './session.ts';

const POLL_MS = 2_000;

export type StartedSignIn = ReplyOf<typeof cliAuthStart>['data'];

/** Starts a login and tells the person where to complete it. */
export async function startSignIn({ api, out }: Session): Promise<StartedSignIn> {
  const { data } = await api.call(cliAuthStart);
  const until = new Date(data.expires_at).toLocaleTimeString();
  out.warn(
    `Sign in at   ${data.auth_url}\nYour code    ${data.user_code}   (the page must show the same; until ${until})`,
  );
  return data;
}

/** Waits until somebody has signed the login in, and keeps the account. */
export async function finishSignIn({ api, out, credentials }: Session, state: string): Promise<Account> {
  const polled = await out.during('Waiting for the sign-in in the browser', async () => {
    for (;;) {
      const { data } = await api.call(cliAuthPoll, { query: { state } });
      if (data.status !== 'pending') return data;
      await sleep(POLL_MS);
    }
  });
  if (polled.status === 'expired' || !polled.token) {
    throw new Failure('Nobody signed in within five minutes.', {
      code: 'login_expired',
      hint: 'Run `svc login` again.',
    });
  }
  const account = { token: polled.token, email: polled.email ?? '', advertiser_id: polled.advertiser_id ?? null };
  await credentials.keep(api.apiUrl, account);
  return account;
}

/** The whole login. The browser is opened when `browser` says so, by itself only where a person looks on. */
export async function signIn(session: Session, { browser }: { browser?: boolean } = {}): Promise<Account> {
  const started = await startSignIn(session);
  if (browser ?? session.ask.interactive) openBrowser(started.auth_url);
  return finishSignIn(session, started.state);
}

/** Runs `work` with the account's token; signs in first when there is none or it ran out, unless nobody is to be asked. */
export async function withAccount<Result>(session: Session, work: (token: string) => Promise<Result>): Promise<Result> {
  const known = await session.credentials.find(session.api.apiUrl);
  if (!known && !session.attended) {
    throw new Failure(`Not signed in to ${session.api.apiUrl}.`, { status: 401, hint: 'Run `svc login` first.' });
  }
  if (!known) return work((await signIn(session)).token);
  try {
    return await work(known.token);
  } catch (error) {
    if (!session.attended || !(error instanceof Failure) || error.parts.status !== 401) throw error;
    session.out.note(error.message);
    return work((await signIn(session)).token);
  }
}
