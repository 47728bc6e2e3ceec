export const LEAD_AUTH = ['browser_allowed', 'server_required'] as const;
export type LeadAuth = (typeof LEAD_AUTH)[number];

/** Which click of a visitor is credited, in the order that forms list them. New programs have the first one. */
export const ATTRIBUTIONS = {
  first: { label: 'First click', note: 'The partner whose link a customer clicked first.' },
  last: { label: 'Last click', note: 'The partner whose link a customer clicked last before signing up or buying.' },
} as const;
export type Attribution = keyof typeof ATTRIBUTIONS;
export const ATTRIBUTION_NAMES = Object.keys(ATTRIBUTIONS) as Attribution[];

export const CUSTOMER_STATUSES = ['click', 'lead', 'conversion'] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];

/** Whether people can join through the join link: not at all, after the brand approves them, or immediately. */
export const JOINING = ['closed', 'on_approval', 'open'] as const;
export type Joining = (typeof JOINING)[number];

export const MEMBERSHIP_STATUSES = ['applied', 'active', 'blocked', 'removed'] as const;
export type MembershipStatus = (typeof MEMBERSHIP_STATUSES)[number];

/** Whether a program counts new clicks: yes, not for now, or no longer. */
export const PROGRAM_STATUSES = ['active', 'paused', 'archived'] as const;
export type ProgramStatus = (typeof PROGRAM_STATUSES)[number];

/** The domain of a site whose host starts with `www.`. `www.com` is a domain of its own. */
export function withoutWww(host: string): string {
  return host.replace(/^www\.(?=[^.]+\.)/, '');
}
