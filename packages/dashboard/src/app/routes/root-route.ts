import { createRootRoute, Outlet } from '@tanstack/react-router';
import { BREAKDOWN_SORTS, BREAKDOWNS, INTERVALS, METRICS, PERIOD_NAMES } from '../../rules/report.ts';
import { day, oneOf, recordId } from '../../rules/search.ts';

export const rootRoute = createRootRoute({ component: Outlet });

/** Program ids are numbers in the application and text in the URL. */
export const programParams = {
  parse: ({ programId }: { programId: string }) => ({ programId: Number(programId) }),
  stringify: ({ programId }: { programId: number }) => ({ programId: String(programId) }),
};

/** The search parameters of pages with a report. */
export const reportParsers = {
  period: oneOf(PERIOD_NAMES),
  from: day,
  to: day,
  metric: oneOf(METRICS),
  interval: oneOf(INTERVALS),
};

/** The search parameters of the page that breaks a report down. */
export const breakdownParsers = {
  ...reportParsers,
  breakdown: oneOf(BREAKDOWNS),
  sort: oneOf(BREAKDOWN_SORTS),
  partner_id: recordId,
};
