/** Where the package reports to when `apiBase` is left out. The service fills in its own address when it serves the package. */
export const DEFAULT_API_BASE = '';
