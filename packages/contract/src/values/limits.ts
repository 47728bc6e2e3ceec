/** Limits that callers can reach. */
export const MAX_IDENTIFIER_CHARS = 255;
export const MAX_URL_CHARS = 2048;
export const MAX_TEXT_CHARS = 1024;
/** Of the URL of a postback, with its macros. */
export const MAX_POSTBACK_CHARS = 2_000;
export const MAX_REASON_CHARS = 500;
export const MAX_COUPON_CHARS = 64;
/** Of what partners append to a link to tell their own placements apart. */
export const MAX_SUB_CHARS = 64;
export const MAX_BODY_BYTES = 64 * 1024;
/** Of events of payment processors, which can have many lines, of batches, and of rules. */
export const MAX_LARGE_BODY_BYTES = 1024 * 1024;
export const MAX_BATCH_ITEMS = 1_000;
export const MAX_JSON_DEPTH = 32;
export const RATE_WINDOW_SECONDS = 60;

/** Requests per minute and caller, by bucket; sale and refund share one. */
export const RATE_LIMITS = {
  click: 60,
  lead: 30,
  sale: 120,
  readiness: 30,
  feed: 120,
  cli: 60,
  manage: 600,
  webhook: 3_000,
} as const;

export type RateBucket = keyof typeof RATE_LIMITS;
export type RateLimits = Record<RateBucket, number>;
