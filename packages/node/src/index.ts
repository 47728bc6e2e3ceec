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
export type { CallOptions, FetchLike, SvcOptions, SvcWarning } from './options.ts';
export type { Event, Outcome, UnattributedReason } from './outcome.ts';
export { SvcError, type SvcErrorCode } from './svc-error.ts';

/** A client with the settings of the variables `SVC_API_KEY` and `SVC_API_URL`. */
export const svc: Svc = createSvc();
