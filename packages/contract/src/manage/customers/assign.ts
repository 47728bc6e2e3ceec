import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { managed, one, PROGRAM, partnerId, requiredReason } from '../route.ts';
import { customerRow } from './customers.ts';

export const manageAssignCustomer = defineRoute({
  ...managed,
  id: 'manageAssignCustomer',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/customers/:customer_id/assign`,
  summary: 'Assign a customer to a partner',
  description:
    'What the customer pays from now on is credited to this partner, no matter who referred them and how long ago. Sales and ' +
    'commissions that exist stay as they are.',
  role: 'member',
  body: z.object({
    partner_id: partnerId,
    reason: requiredReason.describe('Shown in Explain and in the audit log.'),
  }),
  reply: one(customerRow),
  statuses: [400, 401, 404, 409],
});
