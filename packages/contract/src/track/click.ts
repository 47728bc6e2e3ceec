import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { additionalData, isStorable, optionalIdentifier, programReference, text, urlText } from '../values/fields.ts';
import { MAX_URL_CHARS } from '../values/limits.ts';
import { readAffiliateUrl } from './affiliate-url.ts';
import { plainClick } from './plain-click.ts';

const affiliateUrl = z
  .string({
    error: (issue) => (issue.input === undefined ? 'affiliate_url is required' : 'Invalid affiliate_url'),
  })
  .min(1, { error: 'affiliate_url is required' })
  .max(MAX_URL_CHARS, { error: `affiliate_url must be at most ${MAX_URL_CHARS} characters` })
  .refine(isStorable, { error: 'affiliate_url contains characters that cannot be stored' })
  .transform((value, check) => {
    const read = readAffiliateUrl(value);
    if (typeof read !== 'string') return read;
    check.addIssue(read);
    return z.NEVER;
  });

const pageFacts = {
  page_url: urlText('page_url').optional(),
  page_title: text('page_title').optional(),
  referrer_url: urlText('referrer_url').optional(),
  session_id: optionalIdentifier('session_id'),
  user_agent: text('user_agent').optional(),
  screen_resolution: text('screen_resolution').optional(),
  viewport_size: text('viewport_size').optional(),
  language: text('language').optional(),
  timezone: text('timezone').optional(),
  existing_click_id: optionalIdentifier('existing_click_id').describe(
    'The click id that this browser already has. The click is logged for the new link; the customer stays with the first partner, ' +
      'unless the terms of the program credit the last click.',
  ),
  program_id: programReference.describe(
    'The program of the page. If several programs have the code in `aff`, its link is meant. Without one, `aff` alone decides.',
  ),
  additional_data: additionalData,
};

const body = z.object({
  affiliate_url: affiliateUrl.describe(
    'The full URL of the landing page, including its `aff` parameter. A parameter `sub` of at most 64 characters is kept as the sub-id.',
  ),
  ...pageFacts,
});

const testBody = z.object({ affiliate_url: affiliateUrl.optional(), ...pageFacts });

export type ClickBody = z.infer<typeof testBody>;

export const trackClick = defineRoute({
  id: 'trackClick',
  method: 'POST',
  path: '/api/v1/track/click',
  summary: 'Record a click on a referral link',
  description: 'Responds after the click is stored. Save `click_id` in the first-party cookie `svc_click_id`.',
  auth: 'browser',
  bucket: 'click',
  body,
  example: { affiliate_url: 'https://example.com/?aff=jane' },
  replyExample: {
    success: true,
    click_id: 'cust_1_1760000000000',
    partner_code: 'jane',
    cookie_window_days: 60,
  },
  testBody,
  plainBody: plainClick,
  reply: z.object({
    success: z.literal(true),
    click_id: z.string(),
    partner_code: z.string().optional(),
    cookie_window_days: z.int(),
    message: z.string().optional().describe('Only in test mode.'),
    data: z.object({ eventId: z.int(), programId: z.int(), test_mode: z.literal(true) }).optional(),
  }),
  fail: () => errors.internal('Click tracking failed'),
  fromBrowsers: true,
  statuses: [400, 401, 403, 410],
});
