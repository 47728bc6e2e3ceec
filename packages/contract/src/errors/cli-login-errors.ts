import { refuse } from './service-error.ts';

/** What can go wrong when a terminal signs in through a browser. */
export const cliLoginErrors = {
  cliSessionUsed: refuse(404, 'Session not found or already used'),
  cliSessionExpired: refuse(400, 'Session expired'),
  cliSessionNotFound: refuse(404, 'Session not found'),
  cliSessionConsumed: refuse(400, 'Session already consumed'),
  idTokenInvalid: refuse(401, 'Invalid or expired id_token'),
  authorizationInvalid: refuse(400, 'The application did not ask for access correctly. Connect it again.'),
  otherAccount: refuse(
    409,
    'You have signed in with another account in the meantime. Check which account the page shows now, then decide again.',
  ),
  scopeRequired: refuse(403, 'This connection may only read. To make changes, connect again and allow them.'),
  userCodeWrong: refuse(400, 'This is not the code in your terminal. Check it and try again.'),
  outsideAddressTaken: refuse(
    403,
    'This email address already belongs to a colleague’s account. Ask the operator of this service for help.',
  ),
  outsideAddressUnproven: refuse(
    403,
    'An account with your email address already exists in a workspace with other people. Sign in with its password, or ask the operator of this service to reset it.',
  ),
};
