/** What went wrong. The service's own codes, such as `link_disabled`, are passed on as they are. */
export type SvcErrorCode =
  /** No API key, or no URL of the service. */
  | 'not_configured'
  /** No answer within the time that the caller waits. */
  | 'timeout'
  | 'unreachable'
  | 'rate_limited'
  | 'unauthorized'
  /** The key passed its rotation deadline. */
  | 'api_key_rotation_required'
  | 'invalid_request'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  /** The body, the time or the secret of a webhook does not fit its signature. */
  | 'invalid_signature'
  /** The feed does not keep events for that long: see `SvcEventsGoneError`. */
  | 'events_gone'
  /** The feed has left out an event. */
  | 'event_missing'
  | 'unexpected_response'
  | 'service_failed'
  | (string & {});

type Details = {
  code: SvcErrorCode;
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  hint?: string | undefined;
  isRetryable: boolean;
};

/** Why an event was not recorded, or could not be received. */
export class SvcError extends Error {
  override readonly name = 'SvcError';
  readonly code: SvcErrorCode;
  /** The status of the service's response; 0 without one. */
  readonly status: number;
  /** Names the request in the service's logs. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterSeconds: number | undefined;
  readonly hint: string | undefined;
  /** Whether the same call may succeed later. In a webhook, respond with 500, so that it is delivered again. */
  readonly isRetryable: boolean;

  constructor(message: string, details: Details) {
    super(message);
    this.code = details.code;
    this.status = details.status ?? 0;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.hint = details.hint;
    this.isRetryable = details.isRetryable;
  }
}

/** Events after the cursor are no longer kept. The oldest one that is has the number `oldest`: go on with `after: oldest - 1`. */
export class SvcEventsGoneError extends SvcError {
  readonly oldest: number;

  constructor(message: string, details: Omit<Details, 'code' | 'isRetryable'> & { oldest: number }) {
    super(message, { ...details, code: 'events_gone', isRetryable: false });
    this.oldest = details.oldest;
  }
}
