import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { idFilter, managed, one, PROGRAM, period } from '../route.ts';

/** Families of browsers, as cookies live in them. All browsers on an iPhone or iPad are Safari inside. */
export const BROWSERS = { safari: 'Safari', chrome: 'Chrome', firefox: 'Firefox', edge: 'Edge', other: 'Other' };
export type BrowserName = keyof typeof BROWSERS;
export const BROWSER_NAMES = Object.keys(BROWSERS) as [BrowserName, ...BrowserName[]];

/** How many signups are looked at; of a longer period, the latest. */
export const MAX_AGED_SIGNUPS = 20_000;

export const manageClickAges = defineRoute({
  ...managed,
  id: 'manageClickAges',
  mayBeBehind: true,
  method: 'GET',
  path: `${PROGRAM}/click-ages`,
  summary: 'Get the age of clicks at signup',
  description:
    'How long before their signup customers came through a link, by browser, and by who set the click cookie. Where Safari has no ' +
    `signups after more than seven days and other browsers have, its cookies are lost. The latest ${MAX_AGED_SIGNUPS} signups of the period count.`,
  role: 'viewer',
  query: z.object({ ...period, partner_id: idFilter('partner_id') }),
  reply: one(
    z.object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      is_complete: z
        .boolean()
        .describe(`False if the period has ${MAX_AGED_SIGNUPS} signups or more: only the latest count.`),
      rows: z.array(
        z.object({
          browser: z
            .enum(BROWSER_NAMES)
            .describe('Of the first click. Browsers on iPhone and iPad count as `safari`, whatever they are called.'),
          cookie_set_by: z
            .enum(['script', 'server'])
            .describe('Whether that click came through a relay, whose server sets the cookie.'),
          signups: z.int(),
          same_day: z.int().describe('Within 24 hours of the click.'),
          days_1_to_7: z.int(),
          days_8_to_30: z.int(),
          days_31_or_more: z.int(),
        }),
      ),
    }),
  ),
  statuses: [400, 401, 404],
});
