import { errors, type ServiceError } from '@svc/contract';
import { LOCKED_SECONDS } from '../../accounts/factors/create-factor-plugins.ts';

/** What the sign-in library's refusals mean here. Those that are not listed are passed on as they are. */
const REFUSALS: Record<string, () => ServiceError> = {
  INVALID_CODE: errors.codeWrong,
  INVALID_BACKUP_CODE: errors.recoveryCodeWrong,
  INVALID_TWO_FACTOR_COOKIE: errors.challengeExpired,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: errors.challengeExpired,
  ACCOUNT_TEMPORARILY_LOCKED: () => errors.codeWait(LOCKED_SECONDS),
  TOTP_ALREADY_ENABLED: errors.authenticatorAppSetUp,
  TOTP_NOT_ENABLED: errors.authenticatorAppMissing,
  TWO_FACTOR_NOT_ENABLED: errors.authenticatorAppMissing,
  BACKUP_CODES_NOT_ENABLED: errors.authenticatorAppMissing,
  PASSKEY_NOT_FOUND: errors.passkeyUnknown,
  AUTHENTICATION_FAILED: errors.passkeyFailed,
  CHALLENGE_NOT_FOUND: errors.passkeyFailed,
  // The library's answer to whatever it cannot verify is a 500.
  FAILED_TO_VERIFY_REGISTRATION: errors.passkeyFailed,
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: errors.notFound,
  USER_NOT_VERIFIED: errors.passkeyUnverified,
};

/** The error of the catalogue for a refusal of the sign-in library, if it has one. */
export async function refusalIn(response: Response): Promise<ServiceError | null> {
  if (response.ok) return null;
  if (response.status === 404) return errors.notFound();
  const text = await response.clone().text();
  // It refuses what belongs to another account without a word.
  if (text === '' && response.status < 500) return errors.notFound();
  return REFUSALS[codeIn(text) ?? '']?.() ?? null;
}

function codeIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { code?: string } | null)?.code;
  } catch {
    return undefined;
  }
}
