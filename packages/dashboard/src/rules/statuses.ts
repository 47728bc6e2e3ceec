// The contract exports these lists too, but importing them would put its schemas into the first page’s bundle.
export const COMMISSION_STATUSES = [
  'pending',
  'approved',
  'paid',
  'partially_reversed',
  'reversed',
  'rejected',
] as const;
/** As the brand sees them: those that are held for a reason wait for somebody to decide. */
export const REVIEW_STATUSES = ['held', ...COMMISSION_STATUSES] as const;
/** Why a commission waits for a person. */
export const REVIEW_REASONS = ['self_referral', 'claimed_key', 'email_from_page'] as const;
export const CUSTOMER_STATUSES = ['click', 'lead', 'conversion'] as const;
export const LINK_STATES = ['active', 'disabled', 'deleted'] as const;
/** As people see them: active partners without an account are invited. */
export const PARTNER_STATUSES = ['applied', 'invited', 'active', 'blocked', 'removed'] as const;
export const PAYOUT_STATUSES = ['open', 'sent', 'paid', 'failed', 'returned', 'cancelled'] as const;
export const EVENT_TYPES = ['click', 'lead', 'sale', 'refund'] as const;
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export const PROCESSOR_EVENT_STATES = ['waiting', 'done', 'failed'] as const;
export const RUN_STATUSES = ['draft', 'approved', 'sent', 'settled', 'cancelled'] as const;
