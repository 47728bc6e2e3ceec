import { BROWSER_NAMES, type BrowserName } from '@svc/contract';

/** Signups whose first click had the same user agent, way and age in whole days. */
export type AgedSignups = { userAgent: string | null; isRelayed: boolean; days: number; signups: number };

export type ClickAges = {
  browser: BrowserName;
  isRelayed: boolean;
  signups: number;
  sameDay: number;
  upTo7: number;
  upTo30: number;
  older: number;
};

/** The family of a browser as far as its cookies are concerned: on iPhone and iPad, every browser is Safari inside. */
export function browserOf(userAgent: string | null): BrowserName {
  const agent = userAgent ?? '';
  if (/\b(iPhone|iPad|iPod)\b/.test(agent)) return 'safari';
  if (/\b(Edg|EdgA|Edge)\//.test(agent)) return 'edge';
  if (/\bFirefox\//.test(agent)) return 'firefox';
  // Others say that they are Chrome too, and have cookies of their own.
  if (/\b(OPR|Opera|SamsungBrowser|YaBrowser|Vivaldi)\b/.test(agent)) return 'other';
  if (/\b(Chrome|Chromium)\//.test(agent)) return 'chrome';
  return /\bVersion\/[\d.]+.* Safari\//.test(agent) ? 'safari' : 'other';
}

/** Adds signups up by browser and by who set the cookie, in the order of the browsers. */
export function sumClickAges(found: AgedSignups[]): ClickAges[] {
  const groups = BROWSER_NAMES.flatMap((browser) => [false, true].map((isRelayed) => ({ browser, isRelayed })));
  return groups.flatMap(({ browser, isRelayed }) => {
    const own = found.filter((each) => each.isRelayed === isRelayed && browserOf(each.userAgent) === browser);
    const between = (from: number, to: number) =>
      own.reduce((sum, { days, signups }) => (days >= from && days <= to ? sum + signups : sum), 0);
    const signups = between(0, Number.POSITIVE_INFINITY);
    if (signups === 0) return [];
    return [
      {
        ...{ browser, isRelayed, signups },
        sameDay: between(0, 0),
        upTo7: between(1, 7),
        upTo30: between(8, 30),
        older: between(31, Number.POSITIVE_INFINITY),
      },
    ];
  });
}
