/** Names that are visible outside this service's own code. */
export const CLICK_COOKIE = 'svc_click_id';
/**
 * Where the tracker reports clicks and leads, at `/c` and `/l` below it. Public lists of ad blockers contain the path of the API, on any host.
 */
export const REPORT_PATH = '/svc';
/** Reserved for the links that test chains use. */
export const TEST_LINK_PREFIX = 'svc-test-';
export const PROGRAM_KEY_PREFIX = 'svc_key_';
/** Keys that report test events only. They are longer, so that releases that do not know them refuse them. */
export const TEST_KEY_PREFIX = 'svc_key_test_';
export const ACCOUNT_TOKEN_PREFIX = 'svc_at_';
/** Account tokens with scopes. Another prefix, so that releases that do not know their limits refuse them. */
export const SCOPED_TOKEN_PREFIX = 'svc_pat_';
/** Tokens of applications. Another prefix, so that releases that do not know their limits refuse them. */
export const APPLICATION_TOKEN_PREFIX = 'svc_app_';
