import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { identifier } from '../../values/fields.ts';
import { PAYOUT_METHOD_WAIT_HOURS, shownMethod } from '../account/payout-method.ts';
import { managed, one, PROGRAM, requiredReason, requiredTogether } from '../route.ts';

export const manageLiftPayoutWait = defineRoute({
  ...managed,
  id: 'manageLiftPayoutWait',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/partners/:partner_id/payout-method/lift`,
  summary: 'Use a partner’s changed payout method now',
  description:
    `Payouts to a changed method wait for ${PAYOUT_METHOD_WAIT_HOURS} hours, in case a stranger changed it, and so do payouts ` +
    'to a partner who was handed over to another account. An owner with a second factor can end the wait, for this program only. ' +
    'Ask the partner first, not by email: the partner is told about it.',
  role: 'owner',
  precheck: requiredTogether('reason is required', 'reason'),
  body: z.object({
    reason: requiredReason.describe('Kept in the audit log.'),
    usable_from: identifier('usable_from')
      .optional()
      .describe('The `usable_from` that you saw. The reply is 409 if the method has changed since.'),
  }),
  reply: one(shownMethod),
  statuses: [400, 401, 403, 404, 409],
});
