import type { RegisteredRouter } from '@tanstack/react-router';
import type { LoadPage } from './page-loading.ts';

type PagePath = Exclude<keyof RegisteredRouter['routesById'], '__root__'>;

// Kept apart from the routes: links in pages are typed by the routes, so the routes cannot depend on pages.
export const PAGES: Record<PagePath, LoadPage> = {
  '/': () => import('./home.tsx'),
  '/app': () => import('./home.tsx'),
  '/app/sign-in': () => import('../features/sign-in/sign-in-page.tsx'),
  '/app/sign-up': () => import('../features/sign-in/sign-in-page.tsx'),
  '/app/forgot-password': () => import('../features/sign-in/forgot-password-page.tsx'),
  '/app/reset-password': () => import('../features/sign-in/reset-password-page.tsx'),
  '/app/confirm-email': () => import('../features/sign-in/confirm-email-page.tsx'),
  '/app/unsubscribe': () => import('../features/sign-in/unsubscribe-page.tsx'),
  '/app/start': () => import('../features/setup/new-program-page.tsx'),
  '/app/applied': () => import('../features/portal/applied-page.tsx'),
  '/app/account': () => import('../features/account/account-page.tsx'),
  '/invite': () => import('../features/sign-in/invitation-page.tsx'),
  '/cli/login': () => import('../features/sign-in/cli-login-page.tsx'),

  '/app/programs/$programId': () => import('./brand-shell.tsx'),
  '/app/programs/$programId/': () => import('./brand-home.tsx'),
  '/app/programs/$programId/start': () => import('../features/setup/setup-guide-page.tsx'),
  '/app/programs/$programId/overview': () => import('../features/overview/overview-page.tsx'),
  '/app/programs/$programId/reports': () => import('../features/reports/brand-reports-page.tsx'),
  '/app/programs/$programId/partners': () => import('../features/partners/partners-page.tsx'),
  '/app/programs/$programId/partners/$partnerId': () => import('../features/partners/partner-page.tsx'),
  '/app/programs/$programId/links': () => import('../features/links/brand-links-page.tsx'),
  '/app/programs/$programId/customers': () => import('../features/customers/customers-page.tsx'),
  '/app/programs/$programId/customers/$customerId': () => import('../features/customers/journey-page.tsx'),
  '/app/programs/$programId/sales': () => import('../features/sales/sales-page.tsx'),
  '/app/programs/$programId/commissions': () => import('../features/commissions/commissions-page.tsx'),
  '/app/programs/$programId/payouts': () => import('../features/payouts/payouts-page.tsx'),
  '/app/programs/$programId/payouts/$payoutId': () => import('../features/payouts/payout-page.tsx'),
  '/app/programs/$programId/events': () => import('../features/events/events-page.tsx'),
  '/app/programs/$programId/explain': () => import('../features/explain/explain-page.tsx'),
  '/app/programs/$programId/readiness': () => import('../features/setup/readiness-page.tsx'),
  '/app/programs/$programId/settings': () => import('../features/settings/settings-page.tsx'),
  '/app/programs/$programId/team': () => import('../features/team/team-page.tsx'),
  '/app/programs/$programId/audit': () => import('../features/audit/audit-page.tsx'),

  '/app/portal/$programId': () => import('./portal-shell.tsx'),
  '/app/portal/$programId/': () => import('./portal-home.tsx'),
  '/app/portal/$programId/overview': () => import('../features/portal/portal-overview-page.tsx'),
  '/app/portal/$programId/reports': () => import('../features/reports/portal-reports-page.tsx'),
  '/app/portal/$programId/links': () => import('../features/links/portal-links-page.tsx'),
  '/app/portal/$programId/customers': () => import('../features/portal/portal-customers-page.tsx'),
  '/app/portal/$programId/sales': () => import('../features/portal/portal-sales-page.tsx'),
  '/app/portal/$programId/find-order': () => import('../features/portal/find-order-page.tsx'),
  '/app/portal/$programId/earnings': () => import('../features/portal/portal-earnings-page.tsx'),
  '/app/portal/$programId/payouts': () => import('../features/portal/portal-payouts-page.tsx'),
  '/app/portal/$programId/payouts/$payoutId': () => import('../features/payouts/portal-payout-page.tsx'),
};
