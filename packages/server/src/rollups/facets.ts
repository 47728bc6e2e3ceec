/** What a visit is broken down by, besides its partner and link. Each is a column of `customer_facets`. */
export const FACETS = [
  'landing_page',
  'referrer',
  'device',
  'country',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'sub',
] as const;

export type Facet = (typeof FACETS)[number];

/**
 * What a result is broken down by besides, which no click has: the coupon that was used, whether it is a new payment or a renewal,
 * and the month in which the customer first bought.
 */
export const SALE_FACETS = ['coupon', 'payment', 'cohort'] as const;

export type SaleFacet = (typeof SALE_FACETS)[number];

/** All columns of `result_facet_days` with counts. */
export const RESULT_FACETS = [...FACETS, ...SALE_FACETS] as const;

export type ResultFacet = (typeof RESULT_FACETS)[number];

/** The SQL of a list of their columns. */
export const FACET_COLUMNS = FACETS.join(', ');

/** The values of a visit; empty text means that it has none. */
export type Facets = Record<Facet, string>;

/** What a click stores about its visit. */
export type Visit = {
  pageUrl: string | null;
  affiliateUrl: string | null;
  referrerUrl: string | null;
  userAgent: string | null;
  country: string | null;
  sub: string | null;
};

const MAX_PAGE_CHARS = 200;
const MAX_PARAMETER_CHARS = 100;
const URL_PARTS = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]+)([^?#]*)/i;
// Says how a site was reached, not which one it is.
const PREFIX = /^(?:www|m|l|lm|amp)\.(?=.+\.)/;

/** Derives the facets of a visit from what its page reported. */
export function facetsOf({ pageUrl, affiliateUrl, referrerUrl, userAgent, country, sub }: Visit): Facets {
  const page = pageUrl || affiliateUrl;
  const parameters = affiliateUrl || pageUrl;
  const referrer = hostOf(referrerUrl);
  return {
    landing_page: pageOf(page),
    // A page of the site itself refers nobody.
    referrer: referrer === hostOf(page) ? '' : referrer,
    device: deviceOf(userAgent),
    country: country ?? '',
    utm_source: parameterOf(parameters, UTM.source),
    utm_medium: parameterOf(parameters, UTM.medium),
    utm_campaign: parameterOf(parameters, UTM.campaign),
    sub: sub ?? '',
  };
}

function hostOf(url: string | null): string {
  const host = URL_PARTS.exec(url ?? '')?.[1] ?? '';
  return cut(host.toLowerCase().replace(PREFIX, ''), MAX_PAGE_CHARS);
}

/** The host and path of a URL; its query and fragment would make every visit a page of its own. */
function pageOf(url: string | null): string {
  const path = URL_PARTS.exec(url ?? '')?.[2] ?? '';
  return cut(hostOf(url) + path.replace(/\/$/, ''), MAX_PAGE_CHARS);
}

function deviceOf(userAgent: string | null): string {
  if (!userAgent) return '';
  if (/bot\b|crawl|spider|slurp|headless|preview/i.test(userAgent)) return 'bot';
  const isAndroid = /android/i.test(userAgent);
  if (/ipad|tablet|kindle|silk\/|playbook/i.test(userAgent) || (isAndroid && !/mobile/i.test(userAgent)))
    return 'tablet';
  return isAndroid || /mobi|iphone|ipod|phone/i.test(userAgent) ? 'mobile' : 'desktop';
}

const UTM = {
  source: /[?&]utm_source=([^&#]*)/i,
  medium: /[?&]utm_medium=([^&#]*)/i,
  campaign: /[?&]utm_campaign=([^&#]*)/i,
};

function parameterOf(url: string | null, pattern: RegExp): string {
  const encoded = pattern.exec(url ?? '')?.[1]?.replaceAll('+', ' ') ?? '';
  return cut(decode(encoded).trim(), MAX_PARAMETER_CHARS);
}

/** The start of a text, without half a character at its end, which could not be stored. */
function cut(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
}

/** Decoded where that gives text that can be stored. */
function decode(encoded: string): string {
  if (!encoded.includes('%')) return encoded;
  try {
    const text = decodeURIComponent(encoded);
    return text.includes('\0') ? encoded : text;
  } catch {
    return encoded;
  }
}
