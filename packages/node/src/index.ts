import { createSvc, type Svc } from './create-svc.ts';

export type { BatchItem } from './batch.ts';
export type {
  ClickBody,
  ClickReply,
  LeadBody,
  LeadReply,
  RefundBody,
  RefundReply,
  SaleBody,
  SaleReply,
} from './bodies.ts';
export { type CookieSource, clickIdFrom } from './click-id.ts';
export { createSvc, type Svc } from './create-svc.ts';
export type { SvcEvents, SvcEventType, SvcTestEvent } from './events.ts';
export type { CallOptions, FetchLike, SvcOptions, SvcWarning } from './options.ts';
export type { Event, Outcome, UnattributedReason } from './outcome.ts';
export type { EventPage, EventsOptions, SvcEvent } from './read-feed.ts';
export { SvcError, type SvcErrorCode, SvcEventsGoneError } from './svc-error.ts';
export { type SvcWebhook, type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';

/** A client with the settings of the variables `SVC_API_KEY` and `SVC_API_URL`. */
export const svc: Svc = /* @__PURE__ */ createSvc();
