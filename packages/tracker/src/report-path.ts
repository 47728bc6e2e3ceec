/**
 * Where the tracker reports to, below the URL of the service: clicks at `/svc/c`, leads at `/svc/l`. Ad blockers know the path of the
 * API. The service fills in the path that its operator has chosen when it serves a script.
 */
export const REPORT_PATH = '/svc';

/** Whether this build takes another path as an option. The package does. The build makes this false for the scripts. */
export const TAKES_REPORT_PATH = true;
