import { createRoute } from '@tanstack/react-router';
import { day, oneOf, searchParams, sortOf, text } from '../../rules/search.ts';
import { LINK_SORTS } from '../../rules/sorts.ts';
import { COMMISSION_STATUSES, CUSTOMER_STATUSES, LINK_STATES } from '../../rules/statuses.ts';
import { NotFound } from '../../ui/feedback/query-state.tsx';
import { breakdownParsers, programParams, reportParsers, rootRoute } from './root-route.ts';

const portalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/portal/$programId',
  params: programParams,
  notFoundComponent: NotFound,
});
const getParentRoute = () => portalRoute;

const home = createRoute({ getParentRoute, path: '/' });
const overview = createRoute({
  getParentRoute,
  path: '/overview',
  validateSearch: searchParams(reportParsers),
});
const reports = createRoute({
  getParentRoute,
  path: '/reports',
  validateSearch: searchParams(breakdownParsers),
});
const links = createRoute({
  getParentRoute,
  path: '/links',
  validateSearch: searchParams({ link_state: oneOf(LINK_STATES), q: text, sort: sortOf(LINK_SORTS), cursor: text }),
});
const creatives = createRoute({ getParentRoute, path: '/creatives' });
const customers = createRoute({
  getParentRoute,
  path: '/customers',
  validateSearch: searchParams({ status: oneOf(CUSTOMER_STATUSES), cursor: text }),
});
const sales = createRoute({
  getParentRoute,
  path: '/sales',
  validateSearch: searchParams({ from: day, to: day, cursor: text }),
});
const findOrder = createRoute({ getParentRoute, path: '/find-order' });
const terms = createRoute({ getParentRoute, path: '/terms' });
const postback = createRoute({ getParentRoute, path: '/postback' });
const earnings = createRoute({
  getParentRoute,
  path: '/earnings',
  validateSearch: searchParams({ status: oneOf(COMMISSION_STATUSES), cursor: text }),
});
const payouts = createRoute({
  getParentRoute,
  path: '/payouts',
  validateSearch: searchParams({ cursor: text }),
});
const payout = createRoute({
  getParentRoute,
  path: '/payouts/$payoutId',
  validateSearch: searchParams({ cursor: text }),
});

/** The pages of a program for its partners. */
export const portalRoutes = portalRoute.addChildren([
  home,
  overview,
  reports,
  links,
  creatives,
  customers,
  sales,
  findOrder,
  earnings,
  payouts,
  payout,
  terms,
  postback,
]);
