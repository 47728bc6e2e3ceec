import { refuse, ServiceError } from './service-error.ts';

/** What can go wrong with addresses and the links that are mailed to them. */
export const mailErrors = {
  mailOff: refuse(
    409,
    'This installation sends no email. Ask its operator for help: svc-server reset-password prints a link for a new password.',
  ),
  addressUnproven: refuse(
    403,
    'Confirm your email address first, or open the link in the invitation email. You can send yourself a new link under Account settings.',
  ),
  tooManyMessages: (max: number) =>
    new ServiceError(
      409,
      `This program has sent ${max} messages today (UTC), which is the most in a day. Send the next one tomorrow.`,
    ),
  tooManyTestMessages: (max: number) =>
    new ServiceError(
      429,
      `You have sent yourself ${max} tests today (UTC), which is the most in a day. Try again tomorrow.`,
    ),
  addressUnchanged: refuse(400, 'email is the address that the account already has', 'email'),
  addressTaken: refuse(409, 'Another account has this email address by now', 'email'),
  addressLinkGone: refuse(
    404,
    'This link has expired. Links work for 24 hours, and a newer one replaces older ones. Ask for a new one under Account settings.',
  ),
  addressLinkUsed: refuse(409, 'This link was already used. There is nothing left to confirm.'),
  addressLinkForeign: refuse(
    404,
    'This link belongs to another account. Sign in to that account and open the link again, or ask for a new one under Account settings.',
  ),
  unsubscribeLinkInvalid: refuse(
    404,
    'This link is incomplete or was changed. Turn off emails under Account settings, or use the link in a newer email.',
  ),
};
