import type { IncomingMessage } from 'node:http';
import { REPORT_PATH, type RouteDefinition, trackClick, trackLead } from '@svc/contract';

/** The tracker's own paths: clicks and leads as on the API, with the same checks and limits. */
export const CLICK_REPORT = `${REPORT_PATH}/c`;
export const LEAD_REPORT = `${REPORT_PATH}/l`;

/** The routes of the API that they stand for. */
export const REPORT_ROUTES: [path: string, RouteDefinition][] = [
  [CLICK_REPORT, trackClick],
  [LEAD_REPORT, trackLead],
];

/**
 * Whether a refusal is sent with 200. Browsers show every other status as an error in the console of the visitor. A status that
 * says to try again stays.
 */
export function isAnsweredCalmly(path: string, status: number): boolean {
  return (path === CLICK_REPORT || path === LEAD_REPORT) && status < 500 && status !== 429;
}

type RewriteUrl = (request: IncomingMessage) => string;

/** Also takes reports at the path that the operator has chosen. */
export function alsoReportedAt(chosenPath: string, rewriteUrl: RewriteUrl): RewriteUrl {
  if (chosenPath === REPORT_PATH) return rewriteUrl;
  const moved = new Map(REPORT_ROUTES.map(([path]) => [path.replace(REPORT_PATH, chosenPath), path]));
  return (request) => {
    const url = rewriteUrl(request);
    return moved.get(url) ?? url;
  };
}
