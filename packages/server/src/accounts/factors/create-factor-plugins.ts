import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins';
import type { Context } from '../../context.ts';
import { notingFailures } from '../../db/noted-failures.ts';
import { createCodeOwnerPlugin } from './create-code-owner-plugin.ts';
import { updatePasskeyUsed } from './second-factor-store.ts';

/** The name under which authenticator apps and passkey managers list this service. */
const PRODUCT = 'svc';

/** How long a user may take between the password and the second factor. */
const CHALLENGE_SECONDS = 10 * 60;

/**
 * The library's own lock-out is a second line behind the edge, which counts codes and recovery codes on its own, and lets the
 * wait for either grow to an hour with 13 wrong ones. So an attacker who causes this many already waits an hour for one of them.
 */
const LOCKED_AFTER = 26;

/** How long the library refuses codes of a locked account: no longer than the edge does. */
export const LOCKED_SECONDS = 60 * 60;

/** Authenticator apps with recovery codes, and passkeys. Secrets and codes are encrypted with the service's secret. */
export function createFactorPlugins(ctx: Context, baseUrl: string) {
  const { origin, hostname } = new URL(baseUrl);
  return [
    createCodeOwnerPlugin(),
    twoFactor({
      issuer: PRODUCT,
      twoFactorCookieMaxAge: CHALLENGE_SECONDS,
      accountLockout: { enabled: true, maxFailedAttempts: LOCKED_AFTER, durationSeconds: LOCKED_SECONDS },
      schema: { twoFactor: { modelName: 'second_factors' } },
    }),
    passkey({
      rpID: hostname,
      rpName: PRODUCT,
      origin,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      advanced: { webAuthnChallengeCookie: 'passkey' },
      // The column is credential_id, which the store reads as credentialId.
      schema: { passkey: { modelName: 'passkeys', fields: { credentialID: 'credentialId' } } },
      registration: {
        afterVerification: async ({ verification }) => requireUserVerified(verification.registrationInfo?.userVerified),
      },
      authentication: {
        afterVerification: async ({ verification: { authenticationInfo } }) => {
          requireUserVerified(authenticationInfo.userVerified);
          await updatePasskeyUsed(notingFailures(ctx.db), authenticationInfo.credentialID, ctx.now());
        },
      },
    }),
  ] as const;
}

/** A passkey stands for both factors, so the device must have checked who holds it. */
function requireUserVerified(isVerified: boolean | undefined): void {
  if (isVerified) return;
  throw new APIError('BAD_REQUEST', {
    code: 'USER_NOT_VERIFIED',
    message: 'The device did not check who you are',
  });
}
