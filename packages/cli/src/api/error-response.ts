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

/** Turns an error response of the service into a failure, with its code, hint and request id where it has them. */
export function errorResponse(response: Response, body: unknown, url: string): Failure {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  if (typeof error?.message !== 'string') return unexpectedResponse(response, url);
  const { code, message, hint, details, retry_after_seconds: retryAfterSeconds } = error;
  return new Failure(message, {
    status: response.status,
    code: code ?? details?.code,
    hint: hint ?? hintFor(response.status, message, retryAfterSeconds),
    requestId: details?.request_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds,
  });
}

/** The failure for a response that this service would not send: most likely the URL is wrong. */
export function unexpectedResponse(response: Response, url: string): Failure {
  const type = response.headers.get('content-type') ?? 'no content type';
  return new Failure(`${url} returned ${response.status} (${type}), which is not a response from this service.`, {
    status: response.status,
    hint: 'Check the service URL: --api-url, SVC_API_URL, or SVC_API_URL in .svc/.env.',
  });
}

function hintFor(status: number, message: string, retryAfterSeconds: number | undefined): string | undefined {
  if (message.includes('`login`') || message === 'User not found') return 'Run `svc login`.';
  if (status === 429 && retryAfterSeconds) return `Try again in ${formatDuration(retryAfterSeconds)}.`;
  if (message.startsWith('Failed to create program')) {
    return 'Run `svc programs` before you try again: the program may already exist.';
  }
  return undefined;
}

function formatDuration(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
