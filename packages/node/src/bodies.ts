// The build writes these types out, so that the package does not depend on the contract.
import type { ReplyOf, trackClick, trackLead, trackRefund, trackSale } from '@svc/contract';
import type { z } from 'zod';

export type ClickBody = z.input<typeof trackClick.body>;
export type LeadBody = z.input<typeof trackLead.body>;
export type SaleBody = z.input<typeof trackSale.body>;
export type RefundBody = z.input<typeof trackRefund.body>;

export type ClickReply = ReplyOf<typeof trackClick>;
export type LeadReply = ReplyOf<typeof trackLead>;
export type SaleReply = ReplyOf<typeof trackSale>;
export type RefundReply = ReplyOf<typeof trackRefund>;
