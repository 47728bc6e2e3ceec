/** The service that the package reports to without `apiBase`. The service fills in its URL when it serves the package. */
export const DEFAULT_API_BASE = '';
