import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { VIEW_AS_PARTNER, VIEW_MINUTES } from '../../values/view-as-partner.ts';
import { manageMe, managePrograms } from '../account/account.ts';
import { shownMethod } from '../account/payout-method.ts';
import { managed, one, PROGRAM } from '../route.ts';

export const manageViewAsPartner = defineRoute({
  ...managed,
  id: 'manageViewAsPartner',
  proof: { none: 'It only reads.' },
  method: 'POST',
  path: `${PROGRAM}/partners/:partner_id/view`,
  summary: 'View the program as a partner',
  description:
    `For ${VIEW_MINUTES} minutes, your GET requests about the program with the header \`${VIEW_AS_PARTNER}: <token>\` are answered as they ` +
    'would be for this partner. Nothing can be changed with it. Who viewed whom is in the audit log. Only active partners have a portal.',
  role: 'member',
  success: 201,
  reply: one(
    z.object({
      token: z.string(),
      expires_at: z.iso.datetime(),
      name: z.string().describe('The name of the partner.'),
      program: managePrograms.reply.shape.data.element.describe(
        'The program as `GET /programs` lists it for the partner.',
      ),
      membership: manageMe.reply.shape.data.shape.partner_of.element.describe(
        'The program as `GET /me` describes it for the partner.',
      ),
      payout_method: shownMethod.nullable(),
    }),
  ),
  statuses: [401, 403, 404],
});
