/** The names this service is known by outside its own code. */
export const CLICK_COOKIE = 'svc_click_id';
/** Links that test chains run on; nobody else can have one. */
export const TEST_LINK_PREFIX = 'svc-test-';
export const PROGRAM_KEY_PREFIX = 'svc_key_';
export const ACCOUNT_TOKEN_PREFIX = 'svc_at_';
