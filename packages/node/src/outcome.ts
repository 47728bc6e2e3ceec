import { SvcError, type SvcErrorCode } from './svc-error.ts';

export type Event = 'click' | 'lead' | 'sale' | 'refund' | 'batch';

/** Why an event concerns no partner. Most customers of a shop come on their own, so this is not an error. */
export type UnattributedReason =
  | 'customer_not_found'
  | 'no_attribution'
  | 'no_relationship'
  | 'sale_not_found'
  | 'attribution_window_expired'
  | (string & {});

/** What became of a call. `ok` is true when there is nothing left to do. */
export type Outcome<Reply> =
  | { ok: true; outcome: 'recorded'; reply: Reply }
  /** The sale, or the lead of this customer, was recorded before. */
  | { ok: true; outcome: 'already_recorded' }
  /** The sale is recorded. The service creates its commission later. */
  | { ok: true; outcome: 'commission_pending' }
  | { ok: true; outcome: 'unattributed'; reason: UnattributedReason }
  /** No answer yet. The call is retried in the background; its result goes to `onOutcome`. */
  | { ok: false; outcome: 'pending'; error: SvcError }
  | { ok: false; outcome: 'failed'; error: SvcError };

/** A response of the service, or one item of a batch. */
export type Answer = {
  status: number;
  body: unknown;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  etag?: string | undefined;
};

type ErrorBody = { error?: { code?: string; message?: string; hint?: string; retry_after_seconds?: number } };

type Settled = { ok: true; outcome: 'already_recorded' | 'commission_pending' } | { reason: UnattributedReason };

/** Refusals after which there is nothing left to do, by event, status and the start of their message. */
const SETTLED: Partial<Record<Event, [status: number, message: string, settled: Settled][]>> = {
  lead: [
    [400, 'Customer status cannot be updated to lead', { ok: true, outcome: 'already_recorded' }],
    [400, 'Customer not found', { reason: 'customer_not_found' }],
  ],
  sale: [
    [400, 'Customer not found', { reason: 'customer_not_found' }],
    [400, 'No affiliate attribution found', { reason: 'no_attribution' }],
    [400, 'No partner-program relationship found', { reason: 'no_relationship' }],
    [409, 'Duplicate transaction_id', { ok: true, outcome: 'already_recorded' }],
    [500, 'Failed to create commission', { ok: true, outcome: 'commission_pending' }],
  ],
  refund: [[404, 'Sale not found', { reason: 'sale_not_found' }]],
};

const CODES: Record<number, SvcErrorCode> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'conflict',
  429: 'rate_limited',
};

/** What a response means for the caller. */
export function judgeAnswer<Reply>(event: Event, answer: Answer, acceptsDuplicates: boolean): Outcome<Reply> {
  const { status, body } = answer;
  if (status >= 200 && status < 300) return judgeSuccess(answer);
  const message = (body as ErrorBody | undefined)?.error?.message ?? '';
  const found = SETTLED[event]?.find(([of, start]) => of === status && message.startsWith(start))?.[2];
  if (found && 'reason' in found) return { ok: true, outcome: 'unattributed', reason: found.reason };
  if (found && (acceptsDuplicates || found.outcome !== 'already_recorded')) return { ...found };
  return { ok: false, outcome: 'failed', error: errorOf(answer) };
}

/** Only what says so is a success. */
function judgeSuccess<Reply>({ status, body, requestId }: Answer): Outcome<Reply> {
  if (typeof body !== 'object' || body === null || !('success' in body) || body.success !== true) {
    const message = 'The response is not of the service: something between this server and the service has answered';
    const error = new SvcError(message, { code: 'unexpected_response', status, requestId, isRetryable: true });
    return { ok: false, outcome: 'failed', error };
  }
  const { data } = body as { data?: { attributed?: boolean; reason?: string; test_mode?: boolean } };
  const isUnattributed = data?.attributed === false && data.reason !== undefined && !data.test_mode;
  if (isUnattributed) return { ok: true, outcome: 'unattributed', reason: data.reason as string };
  return { ok: true, outcome: 'recorded', reply: body as Reply };
}

/** The error of a response that is no success. */
export function errorOf({ status, body, requestId, retryAfterSeconds }: Answer): SvcError {
  const { code, message, hint, retry_after_seconds: seconds } = (body as ErrorBody | undefined)?.error ?? {};
  return new SvcError(message ?? `The service answered with status ${status}`, {
    code: code ?? CODES[status] ?? (status >= 500 ? 'service_failed' : 'unexpected_response'),
    status,
    requestId,
    retryAfterSeconds: retryAfterSeconds ?? seconds,
    hint,
    isRetryable: isTemporary({ status, retryAfterSeconds }),
  });
}

/** Whether the same call may be answered differently later: 409 with a wait is a call with the same key under way. */
function isTemporary({ status, retryAfterSeconds }: Pick<Answer, 'status' | 'retryAfterSeconds'>): boolean {
  return status === 429 || status === 408 || status >= 500 || (status === 409 && retryAfterSeconds !== undefined);
}
