/** The names this service is known by outside its own code. */
export const CLICK_COOKIE = 'svc_click_id';
export const PROGRAM_KEY_PREFIX = 'svc_key_';
export const ACCOUNT_TOKEN_PREFIX = 'svc_at_';
