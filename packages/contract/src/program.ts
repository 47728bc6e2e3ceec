export const COMMISSION_TYPES = ['percent', 'fixed', 'recurring_percent', 'recurring_fixed'] as const;
export type CommissionType = (typeof COMMISSION_TYPES)[number];

export const LEAD_AUTH = ['browser_allowed', 'server_required'] as const;
export type LeadAuth = (typeof LEAD_AUTH)[number];

export const CUSTOMER_STATUSES = ['click', 'lead', 'conversion'] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];
