import { createRoute } from '@tanstack/react-router';
import { day, oneOf, recordId, searchParams, sortOf, text } from '../../rules/search.ts';
import {
  BALANCE_SORTS,
  COMMISSION_SORTS,
  CUSTOMER_SORTS,
  LINK_SORTS,
  PARTNER_SORTS,
  PAYOUT_SORTS,
  SALE_SORTS,
} from '../../rules/sorts.ts';
import {
  CUSTOMER_STATUSES,
  DELIVERY_STATUSES,
  EVENT_TYPES,
  LINK_STATES,
  PARTNER_STATUSES,
  PAYOUT_STATUSES,
  PROCESSOR_EVENT_STATES,
  REVIEW_REASONS,
  REVIEW_STATUSES,
  RUN_STATUSES,
} from '../../rules/statuses.ts';
import { NotFound } from '../../ui/feedback/query-state.tsx';
import { breakdownParsers, programParams, reportParsers, rootRoute } from './root-route.ts';

const brandRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/programs/$programId',
  params: programParams,
  notFoundComponent: NotFound,
});
const getParentRoute = () => brandRoute;

const home = createRoute({ getParentRoute, path: '/' });
const setupGuide = createRoute({
  getParentRoute,
  path: '/start',
});
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
const partners = createRoute({
  getParentRoute,
  path: '/partners',
  validateSearch: searchParams({
    status: oneOf(PARTNER_STATUSES),
    group_id: recordId,
    q: text,
    sort: sortOf(PARTNER_SORTS),
    cursor: text,
  }),
});
const partner = createRoute({
  getParentRoute,
  path: '/partners/$partnerId',
  validateSearch: searchParams(reportParsers),
});
const links = createRoute({
  getParentRoute,
  path: '/links',
  validateSearch: searchParams({
    link_state: oneOf(LINK_STATES),
    partner_id: recordId,
    q: text,
    sort: sortOf(LINK_SORTS),
    cursor: text,
  }),
});
const customers = createRoute({
  getParentRoute,
  path: '/customers',
  validateSearch: searchParams({
    status: oneOf(CUSTOMER_STATUSES),
    partner_id: recordId,
    q: text,
    from: day,
    to: day,
    sort: sortOf(CUSTOMER_SORTS),
    cursor: text,
  }),
});
const customer = createRoute({
  getParentRoute,
  path: '/customers/$customerId',
});
const sales = createRoute({
  getParentRoute,
  path: '/sales',
  validateSearch: searchParams({
    partner_id: recordId,
    q: text,
    from: day,
    to: day,
    sort: sortOf(SALE_SORTS),
    cursor: text,
  }),
});
const commissions = createRoute({
  getParentRoute,
  path: '/commissions',
  validateSearch: searchParams({
    status: oneOf(REVIEW_STATUSES),
    partner_id: recordId,
    q: text,
    from: day,
    to: day,
    sort: sortOf(COMMISSION_SORTS),
    cursor: text,
  }),
});
const held = createRoute({
  getParentRoute,
  path: '/held',
  validateSearch: searchParams({
    status: oneOf(['rejected']),
    hold_reason: oneOf(REVIEW_REASONS),
    partner_id: recordId,
    sort: sortOf(COMMISSION_SORTS),
    cursor: text,
  }),
});
const payouts = createRoute({
  getParentRoute,
  path: '/payouts',
  validateSearch: searchParams({
    tab: oneOf(['balances', 'runs', 'payouts', 'books']),
    status: oneOf(PAYOUT_STATUSES),
    run_status: oneOf(RUN_STATUSES),
    balances: oneOf(['all']),
    partner_id: recordId,
    q: text,
    from: day,
    to: day,
    sort: sortOf([...PAYOUT_SORTS, ...BALANCE_SORTS]),
    cursor: text,
  }),
});
const payout = createRoute({
  getParentRoute,
  path: '/payouts/$payoutId',
  validateSearch: searchParams({ cursor: text }),
});
const newRun = createRoute({ getParentRoute, path: '/payouts/runs/new' });
const run = createRoute({
  getParentRoute,
  path: '/payouts/runs/$runId',
  validateSearch: searchParams({
    tab: oneOf(['payouts', 'left-out', 'spellings', 'files']),
    status: oneOf(PAYOUT_STATUSES),
    in_file: oneOf(['no']),
    q: text,
    cursor: text,
  }),
});
const terms = createRoute({
  getParentRoute,
  path: '/terms',
  validateSearch: searchParams({ tab: oneOf(['rules', 'groups', 'versions']), cursor: text }),
});
const coupons = createRoute({
  getParentRoute,
  path: '/coupons',
  validateSearch: searchParams({ active: oneOf(['true', 'false']), partner_id: recordId, q: text, cursor: text }),
});
const creatives = createRoute({ getParentRoute, path: '/creatives' });
const messages = createRoute({
  getParentRoute,
  path: '/messages',
  validateSearch: searchParams({ cursor: text }),
});
const events = createRoute({
  getParentRoute,
  path: '/events',
  validateSearch: searchParams({
    tab: oneOf(['received', 'feed']),
    type: oneOf(EVENT_TYPES),
    feed_type: text,
    q: text,
    outcome: oneOf(['recorded', 'refused']),
    partner_id: recordId,
    from: day,
    to: day,
    live: oneOf(['off']),
    cursor: text,
  }),
});
const explain = createRoute({
  getParentRoute,
  path: '/explain',
  validateSearch: searchParams({ by: oneOf(['transaction_id', 'customer_key', 'click_id']), q: text }),
});
const readiness = createRoute({
  getParentRoute,
  path: '/readiness',
});
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  validateSearch: searchParams({
    tab: oneOf([
      'profile',
      'commission',
      'join',
      'mails',
      'tracking',
      'origins',
      'hosts',
      'key',
      'payments',
      'payouts',
      'webhooks',
      'imports',
      'status',
    ]),
    origin: text,
    state: oneOf(PROCESSOR_EVENT_STATES),
    cursor: text,
  }),
});
const webhook = createRoute({
  getParentRoute,
  path: '/settings/webhooks/$webhookId',
  validateSearch: searchParams({ delivery_status: oneOf(DELIVERY_STATUSES), cursor: text }),
});
const team = createRoute({
  getParentRoute,
  path: '/team',
});
const audit = createRoute({
  getParentRoute,
  path: '/audit',
  validateSearch: searchParams({ user_id: text, action: text, program_id: recordId, from: day, to: day, cursor: text }),
});

/** The pages of a program for the brand. */
export const brandRoutes = brandRoute.addChildren([
  home,
  setupGuide,
  overview,
  reports,
  partners,
  partner,
  links,
  customers,
  customer,
  sales,
  commissions,
  held,
  payouts,
  payout,
  newRun,
  run,
  terms,
  coupons,
  creatives,
  messages,
  events,
  explain,
  readiness,
  settings,
  webhook,
  team,
  audit,
]);
