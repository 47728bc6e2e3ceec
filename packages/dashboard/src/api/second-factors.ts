import { ApiError, send } from './client.ts';

/** Proves who uses the session, with the password. */
export async function provePassword(password: string): Promise<void> {
  await send('POST', '/api/auth/verify-password', { password });
}

/** Gives a code of the authenticator app: to sign in, to prove who uses the session, or to turn the app on. */
export async function giveCode(code: string): Promise<void> {
  await send('POST', '/api/auth/two-factor/verify-totp', { code });
}

/** Gives one of the recovery codes, which is used up then. */
export async function giveRecoveryCode(code: string): Promise<void> {
  await send('POST', '/api/auth/two-factor/verify-backup-code', { code });
}

export type AppSetup = {
  /** What the QR code shows. */
  uri: string;
  recoveryCodes: string[];
};

/** Starts setting up an authenticator app. It counts once the user has given its first code. */
export async function startAppSetup(password: string): Promise<AppSetup> {
  const reply = await send('POST', '/api/auth/two-factor/enable', { password });
  const { totpURI, backupCodes } = reply as { totpURI: string; backupCodes: string[] };
  return { uri: totpURI, recoveryCodes: backupCodes };
}

export async function turnOffApp(password: string): Promise<void> {
  await send('POST', '/api/auth/two-factor/disable', { password });
}

/** Replaces the recovery codes; the earlier ones stop working. */
export async function renewRecoveryCodes(password: string): Promise<string[]> {
  const reply = await send('POST', '/api/auth/two-factor/generate-backup-codes', { password });
  return (reply as { backupCodes: string[] }).backupCodes;
}

export const hasPasskeySupport = (): boolean => typeof window.PublicKeyCredential === 'function';

// The library is loaded when it is used: most visits need no passkey.
const webauthn = () => import('@simplewebauthn/browser');
type WebAuthn = Awaited<ReturnType<typeof webauthn>>;

/** Creates a passkey on the user’s device and adds it to their account. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = (await send('GET', '/api/auth/passkey/generate-register-options')) as never;
  const response = await onDevice(({ startRegistration }) => startRegistration({ optionsJSON }));
  await send('POST', '/api/auth/passkey/verify-registration', { response, name });
}

/** Asks the user’s device for a passkey: to sign in, or to prove who uses the session. */
export async function givePasskey(): Promise<void> {
  const options = (await send('GET', '/api/auth/passkey/generate-authenticate-options')) as object;
  // The service accepts only devices that check who holds them.
  const optionsJSON = { ...options, userVerification: 'required' } as never;
  const response = await onDevice(({ startAuthentication }) => startAuthentication({ optionsJSON }));
  await send('POST', '/api/auth/passkey/verify-authentication', { response });
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await send('POST', '/api/auth/passkey/update-passkey', { id, name });
}

export async function removePasskey(id: string): Promise<void> {
  await send('POST', '/api/auth/passkey/delete-passkey', { id });
}

/** What the device says when it does not give a passkey, in words. */
async function onDevice<Answer>(ask: (library: WebAuthn) => Promise<Answer>): Promise<Answer> {
  const library = await webauthn();
  try {
    return await ask(library);
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    const message = isKnown
      ? 'This device already has a passkey for your account.'
      : 'Your device gave no passkey. You may have canceled, or waited too long.';
    throw new ApiError(0, { message });
  }
}
