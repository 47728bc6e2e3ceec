import { createRootRoute, Outlet } from '@tanstack/react-router';
import { METRICS, PERIOD_NAMES } from '../rules/report.ts';
import { day, oneOf } from '../rules/search.ts';

export const rootRoute = createRootRoute({ component: Outlet });

/** Program ids are numbers in the application and text in the URL. */
export const programParams = {
  parse: ({ programId }: { programId: string }) => ({ programId: Number(programId) }),
  stringify: ({ programId }: { programId: number }) => ({ programId: String(programId) }),
};

/** The search parameters of pages with a report. */
export const reportParsers = { period: oneOf(PERIOD_NAMES), from: day, to: day, metric: oneOf(METRICS) };
