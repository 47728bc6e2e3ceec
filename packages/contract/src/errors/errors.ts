import { asSent } from '../values/fields.ts';
import { accountErrors } from './account-errors.ts';
import { cliLoginErrors } from './cli-login-errors.ts';
import { creativeErrors } from './creative-errors.ts';
import { domainErrors } from './domain-errors.ts';
import { ROTATION_HINT } from './error-codes.ts';
import { mailErrors } from './mail-errors.ts';
import { partnerErrors } from './partner-errors.ts';
import { payoutErrors } from './payout-errors.ts';
import { roleErrors } from './role-errors.ts';
import { type FieldPlace, refuse, ServiceError } from './service-error.ts';
import { termsErrors } from './terms-errors.ts';

/** What is wrong with a request, and with which field of it, if it is about one. */
export type FieldProblem = FieldPlace & { message: string };

/** A parameter that a route does not have, and the one that is probably meant. */
type UnknownParameter = { name: string; meant: string | null };

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

/**
 * Every failure that a caller can see, thrown by name. All messages are here, except for what a schema says about its field
 * (`invalidField`) and what a route says when the service fails (`internal`).
 */
export const errors = counted({
  // Any route
  invalidField: ({ message, ...at }: FieldProblem) => new ServiceError(400, message, { at }),
  invalidRequest: refuse(400, 'Invalid request'),
  unknownParameters: (unknown: UnknownParameter[]) => {
    const named = unknown.slice(0, 5).map(({ name, meant }) => {
      return `${JSON.stringify(asSent(name))}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
    });
    const message = `Unknown query parameter${named.length > 1 ? 's' : ''}: ${named.join(', ')}`;
    return new ServiceError(400, message, { at: { field: asSent(unknown[0]?.name) } });
  },
  /** Ends a rehearsal, which changes nothing. Only tools rehearse, and nobody is answered with it. */
  rehearsed: refuse(409, 'This was a rehearsal. Nothing has changed.'),
  tooManyWebhooks: (max: number) =>
    new ServiceError(409, `The program has ${max} webhook endpoints, which is the most. Delete one first.`),
  webhookUrl: (problem: string) => new ServiceError(400, problem, { at: { field: 'url' } }),
  feedCursorInvalid: refuse(400, 'Invalid cursor', 'after'),
  feedStartsTwice: refuse(400, 'Pass after or last, not both', 'last'),
  feedEventsGone: (oldest: number) =>
    new ServiceError(
      410,
      `Events after this cursor are no longer kept. The oldest event after it is ${oldest}: continue with after=${oldest - 1}.`,
      { details: { oldest } },
    ),
  cursorInvalid: refuse(400, 'cursor is not valid for this list', 'cursor'),
  invalidJson: refuse(400, 'Invalid JSON body'),
  bodyNotAnObject: refuse(400, 'Request body must be a JSON object'),
  unreadableRequest: refuse(400, 'Invalid HTTP request'),
  requestTimedOut: refuse(408, 'The request did not arrive completely in time. Send it again.'),
  headersTooLarge: refuse(431, 'Request headers are too large'),
  notFound: refuse(404, 'Not Found'),
  methodNotAllowed: (allowed: string[]) =>
    new ServiceError(405, `Method not allowed. Use ${allowed.join(', ')}.`, { headers: { Allow: allowed.join(', ') } }),
  changedSinceRead: refuse(
    412,
    'This has changed since you read it: If-Match names an earlier ETag. Read it again, and send the change with its new ETag.',
  ),
  bodyTooLarge: (maxBytes: number, field?: string) =>
    new ServiceError(413, `Request body is larger than ${sizeText(maxBytes)}`, field ? { at: { field } } : {}),
  unsupportedMediaType: (types: readonly string[] = ['application/json']) =>
    new ServiceError(415, `Unsupported content type. Send the body as ${types.join(' or ')}.`),
  idempotencyKeyInvalid: refuse(400, 'Idempotency-Key must be 1 to 255 printable ASCII characters'),
  idempotencyKeyReused: refuse(409, 'Idempotency-Key was used with a different request'),
  requestInProgress: () =>
    new ServiceError(409, 'A request with this Idempotency-Key is in progress', { headers: { 'Retry-After': '1' } }),
  keptAnswersFull: (retryAfterSeconds: number) =>
    limited(
      retryAfterSeconds,
      'No more answers to requests with an Idempotency-Key can be kept today. Nothing was done. Send the request without the ' +
        'header, or again after midnight UTC.',
    ),
  internal: (message: string) => new ServiceError(500, message),
  unexpected: refuse(500, 'Internal server error'),
  overloaded: () =>
    new ServiceError(503, 'The service is busy. Try again in a moment.', { headers: { 'Retry-After': '1' } }),
  stopping: () =>
    new ServiceError(503, 'The service is restarting. Retry in a moment.', { headers: { 'Retry-After': '1' } }),
  rateLimited: (retryAfterSeconds: number) =>
    limited(retryAfterSeconds, `Too many requests. Retry after ${retryAfterSeconds} seconds.`),
  signInWait: (retryAfterSeconds: number) =>
    limited(retryAfterSeconds, `Too many failed sign-ins for this account. Try again in ${retryAfterSeconds} seconds.`),
  tooManyChains: (retryAfterSeconds: number, perHour: number) =>
    limited(retryAfterSeconds, `Too many synthetic chains (max ${perHour}/program/hour).`),

  tooManyQuestions: (retryAfterSeconds: number, perDay: number) =>
    limited(retryAfterSeconds, `You have asked ${perDay} questions today. Ask again tomorrow, or contact the brand.`),

  // Credentials
  programKey: (problem: KeyProblem) => new ServiceError(401, KEY_PROBLEMS[problem]),
  readinessKey: (cause: ServiceError) => new ServiceError(401, `${cause.message}.`, { code: 'invalid_key' }),
  keyRetired: (docsUrl: string) =>
    new ServiceError(401, 'This API key passed its rotation deadline and no longer works.', {
      code: 'api_key_rotation_required',
      extra: { hint: ROTATION_HINT, docs_url: docsUrl },
    }),
  tooManyKeys: (mode: string, max: number) =>
    new ServiceError(409, `The program has ${max} ${mode} keys, which is the most. Retire one first.`),
  lastKey: refuse(409, 'This is the last live key that works. Create another one first, or regenerate it.'),
  testKeyReadsNothing: refuse(
    403,
    'Test keys cannot read events, because test events are not among them. Use a live key.',
  ),
  programMismatch: refuse(403, 'program_id does not match the API key'),
  originNotAllowed: refuse(403, 'Origin not allowed for this program'),

  // Accounts
  cliKey: (problem: KeyProblem) => new ServiceError(401, CLI_KEY_PROBLEMS[problem]),
  signInRequired: refuse(401, 'Authentication required — run `login` first'),
  missingAuthorization: refuse(401, 'Missing Authorization header'),
  accountTokenInvalid: refuse(401, 'Invalid or expired token — run `login` again'),
  userNotFound: refuse(401, 'User not found'),
  noAdvertiser: refuse(403, 'No advertiser found for this account'),
  otherAdvertiser: refuse(403, 'advertiser_id does not match the authenticated account'),
  viewEnded: refuse(403, 'The view as a partner has ended. Start it again.'),
  viewReadsOnly: refuse(403, 'Nothing can be changed while you view the portal as a partner. End the view first.'),
  accountBlocked: () =>
    new ServiceError(403, 'Your account has been suspended.', { details: { code: 'ACCOUNT_BLOCKED' } }),
  notSignedIn: refuse(401, 'Sign in first: send a session cookie or Authorization: Bearer <account token>'),
  lastOwner: refuse(409, 'A workspace needs at least one owner. Make another member an owner first.'),
  soleOwner: refuse(
    409,
    'The account is the only owner of a workspace with programs or other members. Make someone else an owner first.',
  ),
  ...accountErrors,
  ...partnerErrors,
  ...payoutErrors,
  ...mailErrors,
  ...roleErrors,
  ...termsErrors,
  ...domainErrors,
  ...creativeErrors,
  crossSite: refuse(403, 'This request came from another site and was refused'),

  metricsClosed: refuse(
    401,
    'Metrics are not public. Set SVC_METRICS_TOKEN and send it as Authorization: Bearer <token>, or set SVC_METRICS_PORT.',
  ),
  metricsToken: () =>
    new ServiceError(401, 'Missing or wrong metrics token. Send SVC_METRICS_TOKEN as Authorization: Bearer <token>.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    }),

  // CLI login sessions
  ...cliLoginErrors,
  /** A failure of a CLI route; the request id is in the message, for people who see nothing else. */
  cliFailed: failedInCli,
  chainFailed: (requestId: string) => failedInCli('Failed to run synthetic chain', requestId),
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

  // Batches
  batchItemType: refuse(400, 'type must be lead, sale or refund'),

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

  // Programs, links, commissions, payouts and reports
  destinationNotAllowed: (domain: string) =>
    new ServiceError(
      400,
      `destination_url must lead to https://${domain}, to an https subdomain of it, or to one of the program’s allowed ` +
        'origins. The brand can allow more in the dashboard: program Settings, Origins.',
      { at: { field: 'destination_url' } },
    ),
  tooManyPrograms: (max: number) =>
    new ServiceError(
      409,
      `This workspace has ${max} programs, which is the most it can have. The operator can raise SVC_MAX_PROGRAMS.`,
    ),
  programInUse: refuse(
    409,
    'Only a program without partners, customers, sales and payment processor can be deleted. Archive it instead.',
  ),
  rotateByPassed: refuse(400, 'rotate_by must be in the future', 'rotate_by'),
  shortLinkTaken: (shortLink: string) =>
    new ServiceError(409, `short_link "${shortLink}" is taken. Choose another.`, { at: { field: 'short_link' } }),
  commissionNotReviewable: (state: string, review: string) =>
    new ServiceError(400, `A commission that is ${state} cannot be ${review}`),
  selectionChanged: (now: number, seen: number, what: string) =>
    new ServiceError(
      409,
      `The filter matches ${now} ${what} now, not ${seen}. Nothing was changed. Review the list and try again.`,
    ),
  payoutSumsChanged: () =>
    new ServiceError(
      409,
      'The payouts of the filter add up to other amounts now. Nothing was changed. Review the list and try again.',
    ),
  bulkActionRunning: () =>
    new ServiceError(409, 'Such a bulk action is already running. Wait until it is done, or stop it.'),
  tooManySelected: (max: number) =>
    new ServiceError(400, `count must be at most ${max}. Narrow the filter down.`, { at: { field: 'count' } }),
  balancesChanged: (count: number) =>
    new ServiceError(
      409,
      `The balances have changed: ${count} can be paid out now. No payout was created. Review them and try again.`,
    ),
  payoutNotOpen: (status: string, change: string) =>
    new ServiceError(409, `A payout that is ${status} cannot be ${change}`),
  tooManyOrigins: (max: number) =>
    new ServiceError(400, `A program can have at most ${max} allowed origins`, { at: { field: 'allowed_origins' } }),
  tooManyViews: (max: number) =>
    new ServiceError(409, `You have ${max} saved views in this program, which is the most. Delete one first.`),
  breakdownOfBrands: refuse(400, 'by cannot be group or coupon for partners', 'by'),
  periodReversed: refuse(400, 'from must be before to', 'from'),
  periodTooLong: (maxDays: number) => new ServiceError(400, `The period must be at most ${maxDays} days long`),

  // Payment processor
  webhookSecretRequired: refuse(400, 'webhook_secret is required', 'webhook_secret'),
  testModeRequired: (processor: string) =>
    new ServiceError(400, `test_mode is required: events of ${processor} do not say whether they are tests`, {
      at: { field: 'test_mode' },
    }),
  accountNotUsed: (processor: string) =>
    new ServiceError(400, `account_id is not used with ${processor}`, { at: { field: 'account_id' } }),
  secretKnown: refuse(409, 'This signing secret is already stored', 'webhook_secret'),
  tooManySecrets: (most: number) =>
    new ServiceError(409, `A connection has at most ${most} signing secrets. Remove one that is no longer used.`),
  lastSecret: refuse(409, 'This is the last signing secret. Add another one first, or disconnect the processor.'),
  eventContentPurged: refuse(
    400,
    'The content of this event is no longer stored. Resend it from the payment processor.',
  ),
  processorNotConnected: refuse(
    404,
    'No payment processor is connected. Connect one in the dashboard: program Settings, Payments.',
  ),
  signatureInvalid: refuse(
    400,
    'The signature is missing, wrong or too old. Check the signing secret in the dashboard: program Settings, Payments.',
  ),
  signatureTooOld: refuse(
    400,
    'The signature is older than five minutes. The signing secret is right: check the clock of this server, and what delays its requests.',
  ),
  eventInvalid: (processor: string, expected: string) =>
    new ServiceError(400, `The request body is not an event of ${processor}. Expected ${expected}.`),
  accountTaken: refuse(409, 'This account_id is already connected to another workspace', 'account_id'),

  // Readiness
  readinessFailed: () =>
    new ServiceError(500, 'Failed to compute readiness. Retry shortly.', {
      code: 'internal_error',
      extra: { retry_after_seconds: 10 },
    }),
});

const KIB = 1024;

function sizeText(bytes: number): string {
  return bytes < KIB * KIB ? `${bytes / KIB} KiB` : `${bytes / KIB / KIB} MiB`;
}

function limited(retryAfterSeconds: number, message: string): ServiceError {
  return new ServiceError(429, message, {
    code: 'rate_limited',
    extra: { status: 429, retry_after_seconds: retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

function failedInCli(message: string, requestId: string): ServiceError {
  return new ServiceError(500, `${message} (request_id: ${requestId})`, { details: { request_id: requestId } });
}

type Failures = Record<string, (...given: never[]) => ServiceError>;

/** Gives every failure its own name: `linkDisabled` is counted as `link_disabled`. */
function counted<Catalogue extends Failures>(catalogue: Catalogue): Catalogue {
  const named = Object.entries(catalogue).map(([name, make]) => {
    const reason = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, (...given: never[]) => Object.assign(make(...given), { reason })];
  });
  return Object.fromEntries(named) as Catalogue;
}
