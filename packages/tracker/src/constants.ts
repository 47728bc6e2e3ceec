// In a file of their own: the bundler writes constants of other files in place, which makes the script smaller.

export const CLICK_COOKIE = 'svc_click_id';
/** The `aff` of the last recorded click, so that the same link is not reported twice. */
export const AFF_COOKIE = 'svc_aff';
/** In the session storage: the landing of this visit while the service has not answered for it. */
export const PENDING_KEY = 'svc_aff';
/** Tells the page, and the React hook, that what `getData` returns has changed. */
export const CHANGE_EVENT = 'svc';
export const LAST_WAIT_SECONDS = 16;
export const TIMEOUT_MS = 10_000;
/** The longest address that the service takes. */
export const MAX_URL_CHARS = 2048;
