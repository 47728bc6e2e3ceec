import { send } from './client.ts';

type Credentials = { email: string; password: string };

/** What is still needed after the password: nothing, a code or a passkey, or a passkey. */
export type NextStep = 'none' | 'code' | 'passkey';

/** Signs in. The session is a cookie that scripts cannot read. */
export async function signIn(credentials: Credentials): Promise<NextStep> {
  const reply = (await send('POST', '/api/auth/sign-in/email', credentials)) as {
    twoFactorRedirect?: boolean;
    twoFactorMethods?: string[];
  };
  if (!reply.twoFactorRedirect) return 'none';
  return reply.twoFactorMethods?.includes('totp') ? 'code' : 'passkey';
}

/** Creates an account and signs in. Where sign-up is closed, an invitation token is required. */
export async function signUp(account: Credentials & { name: string }, invitation?: string): Promise<void> {
  await send('POST', '/api/auth/sign-up/email', account, invitation ? { 'x-svc-invitation': invitation } : {});
}

export async function signOut(): Promise<void> {
  await send('POST', '/api/auth/sign-out', {});
}

/** The email of the signed-in user, or null. */
export async function signedInEmail(): Promise<string | null> {
  const session = (await send('GET', '/api/auth/get-session')) as { user?: { email?: string } } | null;
  return session?.user?.email ?? null;
}

/** A short-lived token that identifies the signed-in user. */
export async function idToken(): Promise<string> {
  const { token } = (await send('GET', '/api/auth/token')) as { token: string };
  return token;
}

/** Allows an application what it asked for, for the account with this email. Returns the address at which it continues. */
export async function approveApplication(request: Record<string, string>, account: string): Promise<string> {
  const { data } = (await send('POST', '/oauth/approve', { ...request, account })) as {
    data: { redirect_url: string };
  };
  return data.redirect_url;
}

/** Mails a link for a new password, if the address has an account. */
export async function requestPasswordReset(email: string): Promise<void> {
  await send('POST', '/api/auth/request-password-reset', { email });
}

/** Sets a new password with the token of a link. All sessions end. */
export async function resetPassword(reset: { token: string; newPassword: string }): Promise<void> {
  await send('POST', '/api/auth/reset-password', reset);
}

/** Changes the password and ends all other sessions. */
export async function changePassword(passwords: { currentPassword: string; newPassword: string }): Promise<void> {
  await send('POST', '/api/auth/change-password', { ...passwords, revokeOtherSessions: true });
}

/** Deletes the signed-in user’s account, with every session. */
export async function deleteAccount(password: string): Promise<void> {
  await send('POST', '/api/auth/delete-user', { password });
}
