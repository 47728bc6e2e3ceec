/** The stable codes of the typed envelope, as explained on the errors page. */
export const errorCodes: { code: string; status: number; meaning: string; whatToDo: string }[] = [
  {
    code: 'api_key_rotation_required',
    status: 401,
    meaning:
      'The program key was marked for rotation. Until its deadline every response carries a warning with this code and the headers Deprecation, Sunset and Link. After the deadline every request with the key is refused.',
    whatToDo:
      'A workspace owner regenerates the key in the dashboard (Settings, API key). Replace the old key wherever it is used. Running the CLI init does not replace a key: it creates a second program.',
  },
  {
    code: 'factor_confirmation_required',
    status: 403,
    meaning:
      'The request would remove the last second factor of the account, or add a factor or recovery codes to those it has, and the browser session gave no code, recovery code or passkey within the last ten minutes. Nothing was changed.',
    whatToDo: 'The dashboard asks for a code or a passkey, and then sends the request again.',
  },
  {
    code: 'confirmation_required',
    status: 403,
    meaning:
      'The request needs a recent proof of who is acting, and the browser session gave its last one more than ten minutes ago. Nothing was changed. Requests with an account token are not asked.',
    whatToDo:
      'The dashboard asks for a password, a code or a passkey, and then sends the request again. A script uses an account token.',
  },
  {
    code: 'second_factor_required',
    status: 403,
    meaning: 'The workspace requires a second factor, and the account has none.',
    whatToDo:
      'Set up an authenticator app or a passkey in the dashboard (Account settings). Account tokens then work again too.',
  },
  {
    code: 'invalid_key',
    status: 401,
    meaning: 'The readiness check received no usable program key.',
    whatToDo: 'Send the header Authorization: Bearer followed by the program key.',
  },
  {
    code: 'link_disabled',
    status: 410,
    meaning: 'The referral link is disabled, or its partner is blocked or left the program. No click was recorded.',
    whatToDo: 'Do not retry. The link works again once the partner or the brand re-enables it.',
  },
  {
    code: 'rate_limited',
    status: 429,
    meaning: 'More requests arrived within one minute than the route allows. Nothing was recorded.',
    whatToDo: 'Wait for the number of seconds in Retry-After, then send the same request again.',
  },
  {
    code: 'internal_error',
    status: 500,
    meaning: 'The readiness report could not be computed.',
    whatToDo: 'Retry after retry_after_seconds.',
  },
];

/** What to do about a key that has to be replaced. */
export const ROTATION_HINT =
  'Ask a workspace owner to regenerate the key in the dashboard (Settings, API key), then replace it where it is used.';
