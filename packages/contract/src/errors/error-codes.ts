/** The stable codes of the typed envelope: what each means and what to do, as shown on the errors page. */
export const errorCodes: { code: string; status: number; meaning: string; whatToDo: string }[] = [
  {
    code: 'api_key_rotation_required',
    status: 401,
    meaning:
      'The program key was marked for rotation. Before its deadline every answer carries a warning with this code and the headers Deprecation, Sunset and Link; after it every request with the key is refused.',
    whatToDo:
      'A workspace owner regenerates the key in the dashboard (Settings, API key). Put the new key where the old one was used. Running the CLI init does not replace a key: it creates a second program.',
  },
  {
    code: 'invalid_key',
    status: 401,
    meaning: 'The readiness check got no usable program key.',
    whatToDo: 'Send the header Authorization: Bearer followed by the program key.',
  },
  {
    code: 'link_disabled',
    status: 410,
    meaning:
      'The referral link was switched off, or its partner was blocked or left the program. No click was recorded.',
    whatToDo: 'Do not retry. The link works again once the partner or the brand re-enables it.',
  },
  {
    code: 'rate_limited',
    status: 429,
    meaning: 'More requests than the limit of this route came in one minute. Nothing was recorded.',
    whatToDo: 'Wait for the number of seconds in Retry-After, then send the same request again.',
  },
  {
    code: 'internal_error',
    status: 500,
    meaning: 'The readiness report could not be computed.',
    whatToDo: 'Retry after retry_after_seconds.',
  },
];
