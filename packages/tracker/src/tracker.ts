import {
  AFF_COOKIE,
  CHANGE_EVENT,
  CLICK_COOKIE,
  LAST_WAIT_SECONDS,
  MAX_URL_CHARS,
  PENDING_KEY,
  TIMEOUT_MS,
} from './constants.ts';
import { readCookie, writeCookie } from './cookie.ts';
import type { Consent, SignupAnswer, TrackerData, TrackerOptions } from './options.ts';

let programId: number | null = null;
let options = {} as TrackerOptions;
/** Undefined while nobody has decided. */
let isAllowed: boolean | undefined;
let landing: string | undefined;
let decide: () => void;
/** Everything waits here for consent, then happens one after another: a signup finds the click that went before it. */
let work: Promise<unknown> = new Promise<void>((resolve) => {
  decide = resolve;
});

/** Starts tracking on this page. A second call does nothing. */
export function init(given: TrackerOptions): void {
  if (programId) return;
  options = given;
  programId = +given.programId;
  if (!programId) {
    log('error', 'no programId');
    return;
  }
  visit();
  const { pushState } = history;
  history.pushState = (...args) => {
    pushState.apply(history, args);
    visit();
  };
  addEventListener('popstate', visit);
  const signals = navigator as Navigator & { globalPrivacyControl?: boolean };
  const isOptedOut = given.privacySignals && (signals.globalPrivacyControl || signals.doNotTrack === '1');
  consent(isOptedOut ? 'denied' : given.consent || 'granted');
}

/** Says what the visitor decided: `granted` lets go of what was held back, `denied` removes what was kept. */
export function consent(next: Consent): void {
  // A page that is prerendered has no visitor yet.
  if ((document as Document & { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', () => consent(next));
  } else if (next !== 'pending') {
    if (isAllowed === false) visit();
    isAllowed = next === 'granted';
    if (!isAllowed) {
      remember();
      keep('', '', 0);
    }
    decide();
    dispatchEvent(new Event(CHANGE_EVENT));
  }
}

/** Reports a signup. Resolves with the answer of the service, or something falsy when it was not recorded; never rejects. */
export function signup(customerKey: string, email?: string): Promise<SignupAnswer> {
  return inTurn(() =>
    send<SignupAnswer>('lead', { click_id: getClickId(), customer_key: customerKey, email, program_id: programId }),
  );
}

/** The click id of this visitor, null when there is none or consent is missing. */
export const getClickId = (): string | null => (isAllowed && readCookie(CLICK_COOKIE)) || null;

/** What is known about this visitor. */
export function getData(): TrackerData {
  const clickId = getClickId();
  return {
    clickId,
    programId,
    hasAttribution: !!clickId,
    affiliateUrl: clickId && (landing || siteWith(readCookie(AFF_COOKIE))),
  };
}

/** Notes the address now: a single-page app may have moved on by the time it is looked at. */
function visit(): void {
  const url = location.href;
  void inTurn(() => reportClick(affOf(url) ? url : sessionStorage[PENDING_KEY]));
}

function reportClick(url: string): Promise<undefined> | undefined {
  const aff = affOf(url);
  // Without cookies nothing could be kept, and the same click would be reported on every page.
  if (!aff || !navigator.cookieEnabled) return;
  const report = async (): Promise<undefined> => {
    const existing = getClickId();
    if (!existing || readCookie(AFF_COOKIE) !== aff) {
      remember(url);
      const answer = await send<ClickAnswer>('click', {
        affiliate_url: url.length > MAX_URL_CHARS ? siteWith(aff) : url,
        referrer_url: document.referrer.slice(0, MAX_URL_CHARS),
        existing_click_id: existing,
      });
      if (answer != null) remember();
      if (!answer || !isAllowed) return;
      keep(answer.click_id, aff, answer.cookie_window_days);
    }
    landing = url;
  };
  // Of several tabs one reports; the others wait for it and then find its cookie.
  return navigator.locks?.request('svc', report) ?? report();
}

type ClickAnswer = { click_id: string; cookie_window_days: number };

/** False where the service refused; undefined when it could not be reached after a few tries, or nobody may ask it. */
async function send<Answer>(what: 'click' | 'lead', body: object): Promise<Answer | false | undefined> {
  for (let wait = 1; isAllowed; wait *= 4) {
    let retryAfter = 0;
    try {
      // Sent as plain text, which needs no preflight. A signup outlives its page; a click does not, because its answer
      // would be lost and the next page reports it again.
      const response = await fetch(`${options.apiBase}/api/v1/track/${what}`, {
        method: 'POST',
        body: JSON.stringify(body),
        keepalive: what === 'lead',
        signal: AbortSignal.timeout?.(TIMEOUT_MS),
      });
      const { ok, status } = response;
      // What is not JSON does not come from the service but from something on the way: that is a failure too.
      const answer = await response.json();
      log(ok ? 'info' : 'warn', what, answer);
      if (ok) return answer;
      if (status < 500 && status !== 429) return false;
      retryAfter = +(response.headers.get('retry-after') as string);
    } catch {}
    if (wait > LAST_WAIT_SECONDS) return log('error', what, 'failed') as undefined;
    await new Promise((resolve) => setTimeout(resolve, (retryAfter || wait) * 1000));
  }
  return undefined;
}

const inTurn = <Result>(task: () => Promise<Result> | undefined): Promise<Result | undefined> => {
  work = work.then<unknown>(() => isAllowed && task()).catch(() => {});
  return work as Promise<Result | undefined>;
};

const keep = (clickId: string, aff: string, days: number): void => {
  writeCookie(CLICK_COOKIE, clickId, days, options.cookieDomain);
  writeCookie(AFF_COOKIE, aff, days, options.cookieDomain);
  dispatchEvent(new Event(CHANGE_EVENT));
};

/** Keeps the landing for the next page of this visit, or lets go of it. */
const remember = (url = ''): void => {
  try {
    sessionStorage[url ? 'setItem' : 'removeItem'](PENDING_KEY, url);
  } catch {}
};

/** The `aff` of an address, written as in a query. */
const affOf = (url: string | undefined): string | undefined =>
  url && encodeURIComponent(new URL(url).searchParams.get('aff') || '');

const siteWith = (aff: string): string => `${location.origin}/?aff=${aff}`;

const log = (level: 'info' | 'warn' | 'error', ...what: unknown[]): void => {
  if (options.debug || level === 'error') console[level]('[svc]', ...what);
};
