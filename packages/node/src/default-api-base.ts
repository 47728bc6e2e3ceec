/** The service that events are reported to without `apiUrl`. The service fills in its URL when it serves the package. */
export const DEFAULT_API_BASE = '';
