/**
 * Where the tracker reports to, below the URL of the service: clicks at `/svc/c`, leads at `/svc/l`. Ad blockers know the path of the
 * API. The service fills in the path that its operator has chosen when it serves the tracker.
 */
export const REPORT_PATH = '/svc';
