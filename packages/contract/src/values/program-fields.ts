import { z } from 'zod';
import { COMMISSION_BASE_NAMES, COMMISSION_BASES, COMMISSION_TYPE_NAMES } from './commission-types.ts';
import { asSent, boundedText, identifier, readByOthers, urlText } from './fields.ts';
import { withoutWww } from './program.ts';

const DOMAIN = 'domain must be a host name, like example.com';
const RATE = 'commission_rate must be a positive number';
const MAX_RATE = Math.max(...Object.values(COMMISSION_BASES).map(({ maxRate }) => maxRate));
const MAX_DAYS = 3_650;

export const programName = readByOthers(identifier('name').min(1, { error: 'name must not be empty' }));

/** A host name; a URL is reduced to its host. Without `www.`, because the pages of a site are allowed on its subdomains. */
export const domain = z.string({ error: DOMAIN }).transform((value, check) => {
  const text = value.trim().toLowerCase();
  const sent = text.includes('://') ? (URL.canParse(text) ? new URL(text).hostname : '') : text.replace(/[/:].*$/, '');
  const host = withoutWww(sent);
  if (!/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(host)) {
    check.addIssue(DOMAIN);
    return z.NEVER;
  }
  return host;
});

export const commissionType = z.enum(COMMISSION_TYPE_NAMES, {
  error: (issue) => `Invalid commission_type: ${asSent(issue.input)}. Valid: ${COMMISSION_TYPE_NAMES.join(', ')}`,
});

/**
 * A positive number with at most four decimals, as text, so that it is never rounded. The limit of its type is checked with
 * the type, which may be stored already.
 */
export const commissionRate = z
  .number({ error: RATE })
  .positive({ error: RATE })
  .max(MAX_RATE, { error: `commission_rate must be at most ${MAX_RATE}` })
  .transform((value, check) => {
    const text = value.toFixed(4);
    if (Number(text) !== value) {
      check.addIssue('commission_rate keeps at most four decimals');
      return z.NEVER;
    }
    return text;
  })
  .describe('In percent, at most 100, or in whole units of the currency.');

export const commissionBase = z
  .enum(COMMISSION_BASE_NAMES, { error: `commission_base must be ${COMMISSION_BASE_NAMES.join(' or ')}` })
  .describe('What percentages are computed from: the amount without tax and shipping (`net`), or all that was paid.');

/** A whole number of days or months within a sensible range. */
export const windowDays = (field: string, min = 1) => {
  const error = `${field} must be a whole number from ${min} to ${MAX_DAYS}`;
  return z.int({ error }).min(min, { error }).max(MAX_DAYS, { error });
};

const CONTACT_EMAIL = 'contact_email must be an email address';
const CONTACT_URL = 'contact_url must be a web address';

/** Where partners write to. Empty or null removes it. */
export const contactEmail = boundedText('contact_email', 254)
  .trim()
  .refine((value) => value === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value), { error: CONTACT_EMAIL })
  .nullable()
  .transform((value) => value || null);

/** A page on which partners reach the brand. Empty or null removes it. */
export const contactUrl = urlText('contact_url')
  .trim()
  .refine((value) => value === '' || (URL.canParse(value) && /^https?:/.test(value)), { error: CONTACT_URL })
  .nullable()
  .transform((value) => value || null);

const originIn = (field: string) =>
  z.string({ error: `${field} must hold strings` }).transform((value, check) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
    if (!isOrigin) {
      check.addIssue(
        `${field}: "${value.slice(0, 100)}" is not an origin like https://example.com or http://localhost:3000`,
      );
      return z.NEVER;
    }
    return url.origin;
  });

/** How many origins a program can have besides those of its domain. */
export const MAX_ORIGINS = 100;

export const listOfOrigins = (field: string) =>
  z
    .array(originIn(field), { error: `${field} must be a list of origins` })
    .max(MAX_ORIGINS, { error: `${field} must hold at most ${MAX_ORIGINS} origins` });

export const origins = listOfOrigins('allowed_origins');

/** What a partner earns, as `describeEarnings` says it. */
export const earnings = z
  .array(z.string())
  .describe('What the partner earns, in sentences without full stops, such as `20% of each sale, not of renewals`.');
