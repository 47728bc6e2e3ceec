import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { additionalData, customerKey, optionalEmail, optionalIdentifier, programReference } from '../values/fields.ts';
import { customerCredit } from './customer-credit.ts';

const body = z.object({
  click_id: optionalIdentifier('click_id'),
  customer_key: customerKey.describe('Your own id for the user. Use the same one at signup and at payment.'),
  email: optionalEmail,
  program_id: programReference.describe('The program, when neither a key nor a click identifies it.'),
  additional_data: additionalData,
});

export type LeadBody = z.infer<typeof body>;

export const trackLead = defineRoute({
  id: 'trackLead',
  method: 'POST',
  path: '/api/v1/track/lead',
  summary: 'Record a signup',
  description:
    'With a program key this is a server-side call. Without one it comes from the browser, and the lead is provisional if the program requires confirmation from its server.',
  auth: 'optional-key',
  bucket: 'lead',
  attempt: 'lead',
  precheck: ({ click_id, customer_key }) =>
    (click_id ?? '') === '' && (customer_key ?? '') === '' ? 'click_id or customer_key is required' : null,
  body,
  example: { click_id: 'cust_1_1760000000000', customer_key: 'user_42', email: 'ann@example.com' },
  replyExample: { success: true, message: 'Lead tracked successfully' },
  reply: z.object({
    success: z.literal(true),
    message: z.string(),
    provisional: z.literal(true).optional(),
    customer_credit: customerCredit,
    data: z.object({ eventId: z.int(), programId: z.int(), test_mode: z.literal(true) }).optional(),
  }),
  fail: () => errors.internal('Lead tracking failed'),
  fromBrowsers: true,
  statuses: [400, 401, 403],
});
