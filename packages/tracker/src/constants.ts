// In their own file, because the bundler inlines constants of other files, which makes the script smaller.

export const CLICK_COOKIE = 'svc_click_id';
/** The `aff` of the last recorded click, so that the same link is not reported twice. */
export const AFF_COOKIE = 'svc_aff';
/** The event that tells the page and the React hook that the result of `getData` has changed. */
export const CHANGE_EVENT = 'svc';
export const LAST_WAIT_SECONDS = 16;
/** How long a page waits for a signup at most. */
export const SIGNUP_SECONDS = 3;
export const TIMEOUT_MS = 10_000;
/** The longest URL that the service accepts. */
export const MAX_URL_CHARS = 2048;
/** How long a click is kept whose answer the tracker has not seen. */
export const DEFAULT_DAYS = 60;
