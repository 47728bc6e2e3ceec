import {
  AFF_COOKIE,
  CHANGE_EVENT,
  CLICK_COOKIE,
  DEFAULT_DAYS,
  LAST_WAIT_SECONDS,
  MAX_URL_CHARS,
  SIGNUP_SECONDS,
  TIMEOUT_MS,
} from './constants.ts';
import { readCookie, writeCookie } from './cookie.ts';
import { withAff } from './link-parameters.ts';
import type { Consent, SignupAnswer, TrackerData, TrackerOptions } from './options.ts';
import { TAKES_PROGRAM_OPTIONS } from './program-options.ts';
import { REPORT_PATH, TAKES_REPORT_PATH } from './report-path.ts';

declare global {
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}

// All functions here are constants: a `function` in the block that the script is would become a global of the page.

/** The script puts the attributes of its tag here, `init` what it is given. */
export const options = {} as TrackerOptions;
let programId: number | null = null;
/** Undefined until consent is given or denied. */
let isAllowed: boolean | undefined;
let landing: string | undefined;
let openQueue: () => void;
/** Tasks wait here for consent, then run one after another, so that a signup finds the click before it. */
let queue: Promise<unknown> = new Promise<void>((resolve) => (openQueue = resolve));

/** Starts tracking on this page. A second call does nothing. */
export const init = (given?: TrackerOptions): void => {
  if (programId) return;
  programId = +Object.assign(options, given).programId || null;
  // biome-ignore lint/correctness/noVoidTypeReturn: shorter than two statements
  if (!programId) return log('error', 'no programId');
  visit();
  // biome-ignore lint/suspicious/useIterableCallbackReturn: shorter than forEach
  (['pushState', 'replaceState'] as const).map((name) => {
    const change = history[name];
    history[name] = (...args) => {
      change.apply(history, args);
      visit();
    };
  });
  addEventListener('popstate', visit);
  consent(
    options.privacySignals && (navigator.globalPrivacyControl || +(navigator.doNotTrack as string))
      ? 'denied'
      : options.consent || 'granted',
  );
};

/** Sets the visitor's decision: `granted` sends what was held back, `denied` discards it and deletes the cookies. */
export const consent = (next: Consent): void => {
  // A prerendered page has no visitor yet.
  if ((document as Document & { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', () => consent(next));
  } else if (next !== 'pending') {
    if (isAllowed === false) visit();
    isAllowed = next === 'granted';
    if (!isAllowed) {
      savePending();
      saveClick('', '', 0);
    }
    openQueue();
    dispatchEvent(new Event(CHANGE_EVENT));
  }
};

/**
 * Reports a signup. Resolves within a few seconds, with the service's response or a falsy value; never rejects. What has not
 * been sent by then, for lack of consent or of a service, is still sent while the page is open.
 */
export const signup = (customerKey: string, email?: string): Promise<SignupAnswer> => {
  const report = () =>
    send<SignupAnswer>('lead', { click_id: getClickId(), customer_key: customerKey, email, program_id: programId });
  return Promise.race([enqueue(report), sleep(SIGNUP_SECONDS)]);
};

/** The click id of this visitor, null when there is none or consent is missing. */
export const getClickId = (): string | null => (isAllowed && readCookie(CLICK_COOKIE)) || null;

/** What is known about this visitor. */
export const getData = (): TrackerData => {
  const clickId = getClickId();
  return {
    clickId,
    programId,
    hasAttribution: !!clickId,
    affiliateUrl: clickId && (landing || siteUrl(readCookie(AFF_COOKIE))),
  };
};

/** Reads the URL immediately: a single-page app may have navigated by the time the task runs. */
const visit = (): void => {
  const url = location.href;
  void enqueue(
    () =>
      reportClick(url) ??
      // Routers that keep the page in the hash keep its parameters there too: `#/pricing?aff=jane`.
      reportClick(url.replace(/[?#].*\?/, '?')) ??
      reportClick(sessionStorage.svc_aff),
  );
};

const reportClick = (url: string): Promise<undefined> | undefined => {
  if (TAKES_PROGRAM_OPTIONS) url = withAff(url, options.linkParameters);
  // Without a URL this throws, which ends the task.
  const page = new URL(url);
  const query = page.searchParams;
  // Encoded as in a query.
  const aff = encodeURIComponent(query.get('aff') || '');
  const recorded = query.get('svc_click_id') as string;
  const report = async (): Promise<undefined> => {
    const existing = getClickId();
    // By a redirect, which cannot see the id that a visitor already has. The service is told both, and gives the click to that visitor.
    const isRecorded = /^cust_\d+_\d+$/.test(recorded);
    if (!existing || isRecorded || readCookie(AFF_COOKIE) !== aff) {
      savePending(url);
      const isKept = isRecorded && (existing || recorded) === recorded;
      // The brand's own server can still set the cookie, so it is told. The service counts nothing again.
      const isForCookie =
        TAKES_PROGRAM_OPTIONS && isKept && !existing && new URL(options.apiBase, url).origin === page.origin;
      let answer =
        isKept && !isForCookie
          ? { click_id: recorded }
          : await send<ClickAnswer>('click', {
              affiliate_url: url[MAX_URL_CHARS] ? siteUrl(aff) : url,
              referrer_url: document.referrer.slice(0, MAX_URL_CHARS),
              existing_click_id: isForCookie ? recorded : existing,
              // Another program may have the same code, and even claim this site.
              ...(TAKES_PROGRAM_OPTIONS && { program_id: programId }),
            });
      if (isForCookie) answer ||= { click_id: recorded };
      if (answer != null) savePending();
      if (!answer || !isAllowed) return;
      saveClick(answer.click_id, aff, answer.cookie_window_days);
    }
    landing = url;
    if (recorded && location.href === url) {
      // Nobody should bookmark or share the click. The rest of the address and the history stay.
      query.delete('aff');
      query.delete('svc_click_id');
      if (TAKES_PROGRAM_OPTIONS) for (const name of options.linkParameters || []) query.delete(name);
      history.replaceState(history.state, '', page);
    }
  };
  // Without cookies the click id could not be stored, and the click would be reported on every page.
  if (!aff || !navigator.cookieEnabled) return;
  // Of several tabs, one reports; the others wait for it and then find its cookie.
  return navigator.locks?.request('svc', report) ?? report();
};

type ClickAnswer = { click_id: string; cookie_window_days?: number };

/** Returns false if the service refused, and undefined if it could not be reached after retries or consent is missing. */
const send = async <Answer>(what: 'click' | 'lead', body: object): Promise<Answer | false | undefined> => {
  for (let wait = 1; isAllowed; wait *= 4) {
    let response: Response | undefined;
    try {
      // Sent as plain text, which needs no preflight. A signup (`lead` comes after `d`) may outlive its page. A click may not: its
      // response would be lost, and the next page would report it again.
      response = await fetch(
        `${options.apiBase}${(TAKES_REPORT_PATH && options.reportPath) || REPORT_PATH}/${what[0]}`,
        {
          method: 'POST',
          body: JSON.stringify(body),
          keepalive: what > 'd',
          signal: AbortSignal.timeout?.(TIMEOUT_MS),
        },
      );
      // A response that is not JSON comes from something in between, which is a failure too.
      const answer = await response.json();
      log('info', what, answer);
      // A refusal is an answer too. Any other status is of a busy or failing service, or of something in between.
      if (response.ok) return answer.success && answer;
    } catch {}
    if (wait > LAST_WAIT_SECONDS) return log('error', what, 'failed') as undefined;
    await sleep(+(response?.headers.get('retry-after') as string) || wait);
  }
  return undefined;
};

export const sleep = (seconds: number) => new Promise<undefined>((resolve) => setTimeout(resolve, seconds * 1000));

const enqueue = <Result>(task: () => Promise<Result> | undefined): Promise<Result | undefined> => {
  // biome-ignore lint/suspicious/noAssignInExpressions: shorter than two statements
  return (queue = queue.then<unknown>(() => isAllowed && task()).catch(() => {})) as Promise<Result | undefined>;
};

const saveClick = (
  clickId: string,
  aff: string,
  days = (TAKES_PROGRAM_OPTIONS && options.cookieDays) || DEFAULT_DAYS,
): void => {
  writeCookie(CLICK_COOKIE, clickId, days, options.cookieDomain);
  writeCookie(AFF_COOKIE, aff, days, options.cookieDomain);
  dispatchEvent(new Event(CHANGE_EVENT));
};

/**
 * Stores the landing URL of a click that the service has not acknowledged yet, for the next page of this visit; without one,
 * deletes it.
 */
const savePending = (url?: string): void => {
  try {
    if (url) sessionStorage.svc_aff = url;
    else delete sessionStorage.svc_aff;
  } catch {}
};

const siteUrl = (aff: string): string => `${location.origin}/?aff=${aff}`;

const log = (level: 'info' | 'error', ...what: unknown[]): void => {
  if (options.debug || level === 'error') console[level]('[svc]', ...what);
};
