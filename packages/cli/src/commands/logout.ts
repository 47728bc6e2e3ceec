import { manageLogout } from '@svc/contract';
import { Failure } from '../failure.ts';
import type { Session } from '../session.ts';

/** Revokes the account token and deletes it from this machine. */
export async function logout({ api, out, credentials }: Session): Promise<void> {
  const account = await credentials.find(api.apiUrl);
  if (!account) {
    out.result({ signed_out: false, api_url: api.apiUrl }, `Not signed in to ${api.apiUrl}.`);
    return;
  }
  try {
    await api.call(manageLogout, { token: account.token });
  } catch (error) {
    // A token that is refused needs no revoking. After any other error it is kept, so that it can be revoked later.
    if (!(error instanceof Failure) || error.parts.status !== 401) throw error;
  }
  await credentials.remove(api.apiUrl);
  out.result({ signed_out: true, api_url: api.apiUrl, email: account.email }, `Signed out of ${api.apiUrl}.`);
}
