import type { Session } from '../session.ts';
import { finishSignIn, signIn, startSignIn } from '../sign-in.ts';

export type LoginOptions = { browser?: boolean; start?: boolean; state?: string };

/** Signs in through the browser. `--start` and `--state` split it in two, for callers that cannot keep a command waiting. */
export async function login(session: Session, { browser, start, state }: LoginOptions): Promise<void> {
  const { api, out, credentials } = session;
  if (start) {
    const started = await startSignIn(session);
    out.result(started, `To finish, run \`svc login --state ${started.state}\`.`);
    return;
  }
  const { email, advertiser_id } = state ? await finishSignIn(session, state) : await signIn(session, { browser });
  const data = { status: 'complete', api_url: api.apiUrl, email, advertiser_id, credentials: credentials.path };
  out.result(data, `Signed in to ${api.apiUrl} as ${email}.`);
}
