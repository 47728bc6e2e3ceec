import type { TokenScope } from '../values/scopes.ts';
import { refuse, ServiceError } from './service-error.ts';

/** What can go wrong with passwords, second factors and sessions. */
export const accountErrors = {
  passwordBlank: refuse(
    400,
    'password must not consist of spaces only. Choose a longer one, such as four unrelated words.',
    'password',
  ),
  passwordCommon: refuse(
    400,
    'password is too easy to guess: it is one that attackers try first. Choose a longer one, such as four unrelated words.',
    'password',
  ),
  passwordIsAddress: refuse(
    400,
    'password must not be your email address. Choose a longer one, such as four unrelated words.',
    'password',
  ),
  passwordIsProduct: refuse(
    400,
    'password must not be the name of this service. Choose a longer one, such as four unrelated words.',
    'password',
  ),

  codeWrong: refuse(400, 'This code is wrong or was already used. Enter the one that your app shows now.'),
  codeWait: (retryAfterSeconds: number) =>
    new ServiceError(429, `Too many wrong codes for this account. Try again in ${retryAfterSeconds} seconds.`, {
      code: 'rate_limited',
      extra: { status: 429, retry_after_seconds: retryAfterSeconds },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    }),
  recoveryCodeWrong: refuse(400, 'This recovery code is wrong or was already used.'),
  challengeExpired: refuse(401, 'This sign-in has expired. Enter your email address and password again.'),
  authenticatorAppSetUp: refuse(409, 'An authenticator app is already set up. Turn it off before you set up another.'),
  authenticatorAppMissing: refuse(409, 'No authenticator app is set up for this account.'),
  passkeyUnknown: refuse(400, 'No account uses this passkey. Sign in with your password instead.'),
  passkeyFailed: refuse(400, 'The passkey could not be verified. Try again.'),
  passkeyUnverified: refuse(
    400,
    'Your device did not check who you are. Use a passkey that asks for a fingerprint, your face or a PIN.',
  ),

  /** An act that needs a recent proof of who is acting. */
  confirmationRequired: () =>
    new ServiceError(
      403,
      'Confirm that it is you: give your password, a code or a passkey again, then repeat the request.',
      { code: 'confirmation_required' },
    ),
  /** Adding to the second factors of an account, or removing the last one, needs a factor, not only the password. */
  factorConfirmationRequired: () =>
    new ServiceError(
      403,
      'Confirm that it is you: give a code, a recovery code or a passkey, then repeat the request. It changes your second factors.',
      { code: 'factor_confirmation_required' },
    ),
  secondFactorRequired: () =>
    new ServiceError(
      403,
      'This workspace requires a second factor. Set one up in the dashboard, under Account settings.',
      { code: 'second_factor_required' },
    ),
  tokenScope: (scope: TokenScope) =>
    new ServiceError(
      403,
      `This token does not have the scope ${scope}. Create one that has it under Account settings.`,
    ),
  tokenNeedsPerson: refuse(
    403,
    'Tokens with scopes cannot do this: it asks people to prove who they are. Use the dashboard, or sign in with `svc login`.',
  ),
  tokenOtherProgram: (programId: number) => new ServiceError(403, `This token works for program ${programId} only.`),
  tokenProgram: refuse(400, 'program_id must be a program of your workspace', 'program_id'),
  tokenOutlives: (days: number) =>
    new ServiceError(
      400,
      `expires_in_days must be at most ${days}: a token cannot create one that lasts longer. Create it in the dashboard instead.`,
      { at: { field: 'expires_in_days' } },
    ),
  tooManyTokens: (max: number) =>
    new ServiceError(409, `The account has ${max} tokens, which is the most. Revoke one first.`),
  ownSecondFactorFirst: refuse(409, 'Set up a second factor for your own account before you require it from others.'),
};
