/** The names that the platform envelope gives to statuses. */
const NAMES: Record<number, string> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  408: 'RequestTimeoutError',
  409: 'ConflictError',
  410: 'GoneError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  431: 'RequestHeaderFieldsTooLargeError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError',
};

/** The field of a request that a problem is about. For a rule of the terms: the rule, counted from 1, and the field in it. */
export type FieldPlace = { field?: string; rule?: number };

export type ErrorParts = {
  /** Puts the error into the typed envelope; clients match on it. */
  code?: string;
  details?: Record<string, unknown>;
  /** What the request should change, for clients that show the message beside it. */
  at?: FieldPlace;
  /** Members of `error` in the typed envelope besides `code` and `message`. */
  extra?: Record<string, unknown>;
  /** Members next to `error` at the top level of the body. */
  beside?: Record<string, unknown>;
  headers?: Record<string, string>;
};

/** A failure that is sent to the caller exactly as given. */
export class ServiceError extends Error {
  readonly status: number;
  readonly parts: ErrorParts;
  /** Its name in the catalogue, for metrics. */
  reason = 'other';

  constructor(status: number, message: string, parts: ErrorParts = {}) {
    super(message);
    this.name = NAMES[status] ?? 'Error';
    this.status = status;
    this.parts = parts;
  }
}

/** An error that is always the same, and the field that it is about, if it is about one. */
export const refuse = (status: number, message: string, field?: string) => () =>
  new ServiceError(status, message, field === undefined ? {} : { at: { field } });

/**
 * The body of an error: the typed envelope when it has a code, the platform envelope otherwise. Only routes that name fields say
 * in `details` which field it is about; the specification leaves `details` empty on the others.
 */
export function errorBody(error: ServiceError, namesFields = false): Record<string, unknown> {
  const { code, extra, beside } = error.parts;
  const details = error.parts.details ?? (namesFields ? error.parts.at : undefined);
  if (code) return { ...beside, error: { code, message: error.message, ...extra } };
  return {
    data: null,
    error: { status: error.status, name: error.name, message: error.message, details: details ?? {} },
  };
}
