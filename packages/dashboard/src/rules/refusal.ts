/** An event that was refused or not credited, as the API lists it. */
export type RefusedEvent = {
  kind: 'click' | 'lead' | 'sale' | 'refund';
  outcome: 'refused' | 'not_attributed';
  reason: string;
  sentence: string;
  message: string | null;
  origin: string | null;
  transaction_id: string | null;
  customer_key: string | null;
  click_id: string | null;
  click_age_days: number | null;
  window_days: number | null;
};

/** What can be done about it with one press of a button. */
export type Fix =
  | { is: 'allow'; origin: string }
  | { is: 'copy'; label: string; text: string }
  | { is: 'settings'; label: string; tab: 'key' | 'tracking' }
  | { is: 'links'; label: string }
  | { is: 'step'; label: string; step: 'click' | 'lead' };

export type Refusal = { title: string; cause: string; fix: Fix | null };

const KINDS = { click: 'Click', lead: 'Signup', sale: 'Sale', refund: 'Refund' };

/** What happened to a refused event, why, and what fixes it. */
export function describeRefusal(event: RefusedEvent, programId: number): Refusal {
  const title = `${KINDS[event.kind]} ${event.outcome === 'refused' ? 'refused' : 'not credited'}`;
  const describe = CAUSES[event.reason];
  const [cause, fix] = describe ? describe(event, programId) : [event.sentence, null];
  return { title, cause, fix };
}

const USER_LINE = 'customer_key: String(user.id), // your id for the user, the same at signup and for every payment';
const CLICK_LINE = 'click_id: clickIdIn(cookieHeader), // from the cookie svc_click_id';
const MISSING = 'Copy the missing field';
const TEST_LINK: Fix = { is: 'step', label: 'Show the test link', step: 'click' };

/** Causes by reason code. Reasons that are not here are explained by their sentence, and have no fix. */
const CAUSES: Record<string, ((event: RefusedEvent, programId: number) => [string, Fix | null]) | undefined> = {
  origin_not_allowed: ({ origin }) => originCause(origin ?? ''),
  link_disabled: () => ['The link is disabled, or its partner isn’t active.', { is: 'links', label: 'Open links' }],
  invalid_request: ({ message, sentence }) => {
    const line = lineFor(message ?? '');
    const label = /required/.test(message ?? '') ? MISSING : 'Copy the field';
    return [message ? `The request is wrong: ${message}.` : sentence, line ? { is: 'copy', label, text: line } : null];
  },
  program_mismatch: (_event, programId) => [
    'The program in the request does not match the API key.',
    { is: 'copy', label: 'Copy the program ID', text: `program_id: ${programId}` },
  ],
  key_retired: () => [
    'The API key has passed its rotation deadline.',
    { is: 'settings', label: 'Get a new key', tab: 'key' },
  ],
  customer_not_found: unknownCustomer,
  customer_unattributed: () => [
    'The customer is known, but didn’t come through a partner’s link. Open the test link first, then sign up as a new user.',
    TEST_LINK,
  ],
  lead_status_refused: () => [
    'This visitor has already signed up. To test again, open the test link in a private window.',
    null,
  ],
  duplicate_transaction: ({ transaction_id: id }) => [
    `A sale with the ID ${id ?? ''} is already recorded. Every payment needs an ID of its own.`,
    null,
  ],
  attribution_window_expired: ({ click_age_days: age, window_days: days }) => [
    `The click was ${age ?? 0} days old, and clicks count for ${days ?? 0} days.`,
    { is: 'settings', label: 'Change the window', tab: 'tracking' },
  ],
};

function originCause(origin: string): [string, Fix | null] {
  if (origin === 'null') return ['The page was opened from a file. Open it over http:// or https:// instead.', null];
  if (!URL.canParse(origin)) return ['Pages on several other sites tried to report to this program.', null];
  return [`Pages on ${origin} may not report to this program yet.`, { is: 'allow', origin }];
}

function unknownCustomer({ kind, click_id: clickId, customer_key: key }: RefusedEvent): [string, Fix | null] {
  if (kind === 'lead') {
    return clickId
      ? [`No click has the ID ${clickId}. Delete the cookie svc_click_id and open the test link again.`, TEST_LINK]
      : ['The signup doesn’t say which click it belongs to.', { is: 'copy', label: MISSING, text: CLICK_LINE }];
  }
  if (!clickId && !key) {
    return ['The sale doesn’t say who paid.', { is: 'copy', label: MISSING, text: USER_LINE }];
  }
  const name = key ? `the user ID ${key}` : `the click ID ${clickId}`;
  return [
    `No signup has ${name}. Report the signup first, with the same ID.`,
    { is: 'step', label: 'Show the signup code', step: 'lead' },
  ];
}

/** A line of code for each field that requests often lack. */
const LINES: Record<string, string | undefined> = {
  transaction_id: 'transaction_id: String(order.id), // your id for the payment, the same if you send it again',
  amount_cents: 'amount_cents: Math.round(order.total * 100), // an integer in the smallest unit of the currency',
  currency: 'currency: order.currency, // three letters, such as USD',
  customer_key: USER_LINE,
  click_id: CLICK_LINE,
};

/** The line for the field that the message is about. */
function lineFor(message: string): string | undefined {
  return LINES[/\b[a-z]+(_[a-z]+)*\b/.exec(message)?.[0] ?? ''];
}
