/** The names the platform envelope gives to statuses. */
const NAMES: Record<number, string> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  409: 'ConflictError',
  410: 'GoneError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  431: 'RequestHeaderFieldsTooLargeError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError',
};

export type ErrorParts = {
  /** Puts the error into the typed envelope; clients match on it. */
  code?: string;
  details?: Record<string, unknown>;
  /** Members of `error` in the typed envelope beside `code` and `message`. */
  extra?: Record<string, unknown>;
  /** Members beside `error` at the top level of the body. */
  beside?: Record<string, unknown>;
  headers?: Record<string, string>;
};

/** A failure that a caller is told about, exactly as given. */
export class ServiceError extends Error {
  readonly status: number;
  readonly parts: ErrorParts;
  /** Its name in the catalogue, for counting. */
  reason = 'other';

  constructor(status: number, message: string, parts: ErrorParts = {}) {
    super(message);
    this.name = NAMES[status] ?? 'Error';
    this.status = status;
    this.parts = parts;
  }
}

/** The body an error leaves in: typed when it has a code, the platform envelope otherwise. */
export function errorBody(error: ServiceError): Record<string, unknown> {
  const { code, details, extra, beside } = error.parts;
  if (code) return { ...beside, error: { code, message: error.message, ...extra } };
  return {
    data: null,
    error: { status: error.status, name: error.name, message: error.message, details: details ?? {} },
  };
}

const refuse = (status: number, message: string) => () => new ServiceError(status, message);

/** What can be wrong with the key of a request. */
export type KeyProblem = 'malformed' | 'empty' | 'unknown';

const KEY_PROBLEMS: Record<KeyProblem, string> = {
  malformed: 'Missing or malformed Authorization header. Expected: Bearer <token>',
  empty: 'Missing API token',
  unknown: 'Invalid API token',
};
const CLI_KEY_PROBLEMS: Record<KeyProblem, string> = {
  malformed: 'Missing or malformed Authorization header. Expected: Bearer <api_token>',
  empty: 'Missing API token',
  unknown: 'Invalid API key. Ask a workspace owner to regenerate the key in the dashboard (Settings, API key).',
};

const LINK_DISABLED = 'This referral link is disabled.';

/** Every failure of the service that a caller can see, thrown by name. */
export const errors = counted({
  // Any route
  invalidField: (message: string) => new ServiceError(400, message),
  cursorInvalid: refuse(400, 'cursor is not one of this list'),
  invalidJson: refuse(400, 'Invalid JSON body'),
  bodyNotAnObject: refuse(400, 'Request body must be a JSON object'),
  unreadableRequest: refuse(400, 'Invalid HTTP request'),
  headersTooLarge: refuse(431, 'Request headers are too large'),
  notFound: refuse(404, 'Not Found'),
  conflict: (message: string) => new ServiceError(409, message),
  methodNotAllowed: (allowed: string[]) =>
    new ServiceError(405, `Method not allowed. Use ${allowed.join(', ')}.`, { headers: { Allow: allowed.join(', ') } }),
  bodyTooLarge: refuse(413, 'Request body is larger than 64 KiB'),
  unsupportedMediaType: refuse(415, 'Unsupported content type. Send the body as application/json.'),
  internal: (message: string) => new ServiceError(500, message),
  overloaded: () =>
    new ServiceError(503, 'The service is busy. Retry after the time given.', { headers: { 'Retry-After': '1' } }),
  stopping: () =>
    new ServiceError(503, 'The service is restarting. Retry in a moment.', { headers: { 'Retry-After': '1' } }),
  rateLimited: (retryAfterSeconds: number, message?: string) =>
    new ServiceError(429, message ?? `Too many requests. Retry after ${retryAfterSeconds} seconds.`, {
      code: 'rate_limited',
      extra: { status: 429, retry_after_seconds: retryAfterSeconds },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    }),

  // Credentials
  programKey: (problem: KeyProblem) => new ServiceError(401, KEY_PROBLEMS[problem]),
  readinessKey: (cause: ServiceError) => new ServiceError(401, `${cause.message}.`, { code: 'invalid_key' }),
  keyRetired: (docsUrl: string) =>
    new ServiceError(401, 'This API key passed its rotation deadline and no longer works.', {
      code: 'api_key_rotation_required',
      extra: { hint: ROTATION_HINT, docs_url: docsUrl },
    }),
  programMismatch: refuse(403, 'program_id does not match the API key'),
  originNotAllowed: refuse(403, 'Origin not allowed for this program'),

  // Accounts
  cliKey: (problem: KeyProblem) => new ServiceError(401, CLI_KEY_PROBLEMS[problem]),
  signInRequired: refuse(401, 'Authentication required — run `login` first'),
  missingAuthorization: refuse(401, 'Missing Authorization header'),
  accountTokenInvalid: refuse(401, 'Invalid or expired token — run `login` again'),
  userNotFound: refuse(401, 'User not found'),
  noAdvertiser: refuse(403, 'No advertiser found for this account'),
  invitationGone: refuse(404, 'This invitation is unknown, was used, or has expired. Ask for a new one.'),
  joiningClosed: refuse(404, 'This link is no longer in use. Ask the brand for another.'),
  partnerKnown: refuse(409, 'The brand knows your e-mail address already. Ask it for an invitation link of your own.'),
  partnerJoinedItself: refuse(
    409,
    'Somebody joined with this e-mail address by themselves. Approve them in the list of partners if it is them.',
  ),
  membershipEnded: refuse(409, 'The brand has ended your part in this program. Ask it if that is a mistake.'),
  otherAdvertiser: refuse(403, 'advertiser_id does not match the authenticated account'),
  accountBlocked: () =>
    new ServiceError(403, 'Your account has been suspended.', { details: { code: 'ACCOUNT_BLOCKED' } }),
  notSignedIn: refuse(401, 'Sign in first: send a session cookie or Authorization: Bearer <account token>'),
  lastOwner: refuse(409, 'The workspace would be without an owner. Make somebody else an owner first.'),
  ownerOnly: refuse(403, 'Only an owner of the workspace may do this'),
  crossSite: refuse(403, 'This request came from another site and was refused'),

  // CLI login sessions
  cliSessionUsed: refuse(404, 'Session not found or already used'),
  cliSessionExpired: refuse(400, 'Session expired'),
  cliSessionNotFound: refuse(404, 'Session not found'),
  cliSessionConsumed: refuse(400, 'Session already consumed'),
  idTokenInvalid: refuse(401, 'Invalid or expired id_token'),
  /** A failure of a CLI route; its id is where people who only see the message find it. */
  cliFailed: (message: string, requestId: string) =>
    new ServiceError(500, `${message} (request_id: ${requestId})`, { details: { request_id: requestId } }),
  stripeConnectRetired: refuse(
    410,
    'This endpoint is retired. Connect the payment processor in the dashboard: program Settings, Payments.',
  ),

  // Clicks
  affiliateUrlRequired: refuse(400, 'affiliate_url is required'),
  linkNotFound: refuse(400, 'Referral link not found'),
  linkMisconfigured: refuse(400, 'Invalid referral link configuration'),
  linkDisabled: () =>
    new ServiceError(410, LINK_DISABLED, {
      code: 'link_disabled',
      extra: { hint: 'The partner or the brand can re-enable the link; it then works again. No click was recorded.' },
      beside: { success: false, message: LINK_DISABLED },
    }),

  // Leads
  leadCustomerNotFound: refuse(400, 'Customer not found. Provide a valid click_id or customer_key.'),
  leadOtherProgram: refuse(400, 'Customer does not belong to this program'),
  leadStatus: (status: string) =>
    new ServiceError(400, `Customer status cannot be updated to lead. Current status: ${status}`),

  // Sales and refunds
  saleCustomerNotFound: refuse(400, 'Customer not found. Provide customer_key or click_id.'),
  saleNotAttributed: refuse(400, 'No affiliate attribution found for this customer in this program'),
  saleNoMembership: refuse(400, 'No partner-program relationship found for this customer'),
  salePartnerMissing: refuse(400, 'partnerId required to create commission'),
  duplicateTransaction: refuse(409, 'Duplicate transaction_id. This sale has already been recorded.'),
  commissionFailed: refuse(500, 'Failed to create commission'),
  saleNotFound: refuse(404, 'Sale not found for transaction_id'),
  refundTooLarge: (leftCents: number) =>
    new ServiceError(400, `refund_amount_cents is more than what is left to refund (${leftCents})`),

  // Payment processor
  processorNotConnected: refuse(
    404,
    'No payment processor is connected here. Connect it in the dashboard: program Settings, Payments.',
  ),
  signatureInvalid: refuse(
    400,
    'The signature is missing, wrong or too old. Check the signing secret in the dashboard: program Settings, Payments.',
  ),
  eventInvalid: refuse(400, 'The body is no event of Stripe'),
  eventTooLarge: refuse(413, 'Request body is larger than 1 MiB'),
  accountTaken: refuse(409, 'This account_id is connected in another workspace'),

  // Readiness
  readinessFailed: () =>
    new ServiceError(500, 'Failed to compute readiness. Retry shortly.', {
      code: 'internal_error',
      extra: { retry_after_seconds: 10 },
    }),
});

type Failures = Record<string, (...given: never[]) => ServiceError>;

/** Lets every failure know its own name: `linkDisabled` is counted as `link_disabled`. */
function counted<Catalogue extends Failures>(catalogue: Catalogue): Catalogue {
  const named = Object.entries(catalogue).map(([name, make]) => {
    const reason = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, (...given: never[]) => Object.assign(make(...given), { reason })];
  });
  return Object.fromEntries(named) as Catalogue;
}

export const ROTATION_HINT =
  'Ask a workspace owner to regenerate the key in the dashboard (Settings, API key), then replace it where it is used.';
