import type { ComponentType } from 'react';

/** Pages by their path; each module exports its page as `Page`. */
export type Pages = Record<string, () => Promise<{ Page: ComponentType }>>;

const signInPage = () => import('../features/sign-in/sign-in-page.tsx');

export const publicPages: Pages = {
  '/': () => import('./home.tsx'),
  '/app': () => import('./home.tsx'),
  '/app/sign-in': signInPage,
  '/app/sign-up': signInPage,
  '/app/start': () => import('../features/setup/new-program-page.tsx'),
  '/app/applied': () => import('../features/portal/applied-page.tsx'),
  '/app/account': () => import('../features/account/account-page.tsx'),
  '/invite': () => import('../features/sign-in/invitation-page.tsx'),
  '/cli/login': () => import('../features/sign-in/cli-login-page.tsx'),
};

export const brandPages: Pages = {
  '/start': () => import('../features/setup/first-run-page.tsx'),
  '/overview': () => import('../features/overview/overview-page.tsx'),
  '/partners': () => import('../features/partners/partners-page.tsx'),
  '/partners/$partnerId': () => import('../features/partners/partner-page.tsx'),
  '/links': () => import('../features/links/brand-links-page.tsx'),
  '/customers': () => import('../features/customers/customers-page.tsx'),
  '/customers/$customerId': () => import('../features/customers/journey-page.tsx'),
  '/sales': () => import('../features/sales/sales-page.tsx'),
  '/commissions': () => import('../features/commissions/commissions-page.tsx'),
  '/payouts': () => import('../features/payouts/payouts-page.tsx'),
  '/payouts/$payoutId': () => import('../features/payouts/payout-page.tsx'),
  '/events': () => import('../features/events/events-page.tsx'),
  '/explain': () => import('../features/explain/explain-page.tsx'),
  '/readiness': () => import('../features/setup/readiness-page.tsx'),
  '/settings': () => import('../features/settings/settings-page.tsx'),
  '/team': () => import('../features/team/team-page.tsx'),
};

export const portalPages: Pages = {
  '/overview': () => import('../features/portal/portal-overview-page.tsx'),
  '/links': () => import('../features/links/own-links-page.tsx'),
  '/customers': () => import('../features/portal/portal-customers-page.tsx'),
  '/sales': () => import('../features/portal/portal-sales-page.tsx'),
  '/earnings': () => import('../features/portal/portal-earnings-page.tsx'),
  '/payouts': () => import('../features/portal/portal-payouts-page.tsx'),
  '/payouts/$payoutId': () => import('../features/payouts/own-payout-page.tsx'),
};
