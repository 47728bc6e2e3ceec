import { Failure } from '../failure.ts';

type ErrorBody = {
  error?: {
    code?: string;
    message?: string;
    hint?: string;
    details?: { code?: string; request_id?: string };
    retry_after_seconds?: number;
  };
};

/** An answer of the service that says no, as a failure. The code comes first; where there is none the message does. */
export function refusal(response: Response, body: unknown, url: string): Failure {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  if (typeof error?.message !== 'string') return notTheService(response, url);
  const { code, message, hint, details, retry_after_seconds: retryAfterSeconds } = error;
  return new Failure(message, {
    status: response.status,
    code: code ?? details?.code,
    hint: hint ?? hintFor(response.status, message, retryAfterSeconds),
    requestId: details?.request_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds,
  });
}

export function notTheService(response: Response, url: string): Failure {
  const type = response.headers.get('content-type') ?? 'nothing readable';
  return new Failure(`${url} answered ${response.status} with ${type}, which is not how the service answers.`, {
    status: response.status,
    hint: 'Check the address: --api-url, SVC_API_URL, or SVC_API_URL in .svc/.env.',
  });
}

function hintFor(status: number, message: string, retryAfterSeconds: number | undefined): string | undefined {
  if (message.includes('`login`') || message === 'User not found') return 'Run `svc login`.';
  if (status === 429 && retryAfterSeconds) return `Try again in ${inWords(retryAfterSeconds)}.`;
  if (message.startsWith('Failed to create program')) return 'Run `svc programs` before you try again: it may exist.';
  return undefined;
}

function inWords(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
