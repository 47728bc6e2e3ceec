import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { managed, one, PROGRAM } from '../route.ts';

/** What can happen to a partner in a program. */
export const PARTNER_EVENTS = [
  'added',
  'invited',
  'invitation_accepted',
  'applied',
  'joined',
  'approved',
  'declined',
  'blocked',
  'removed',
  'reactivated',
  'handed_over',
] as const;

export type PartnerEvent = (typeof PARTNER_EVENTS)[number];

export const managePartnerHistory = defineRoute({
  ...managed,
  id: 'managePartnerHistory',
  method: 'GET',
  path: `${PROGRAM}/partners/:partner_id/history`,
  summary: 'Get the history of a partner',
  description:
    'How they joined, and what was decided about them, newest first: up to 200 events. Decisions from before they were ' +
    'recorded are missing.',
  role: 'viewer',
  reply: one(
    z.array(
      z.object({
        event: z.enum(PARTNER_EVENTS),
        by: z
          .string()
          .nullable()
          .describe('The name of the user; null for the service and for accounts that are gone.'),
        at: z.iso.datetime(),
      }),
    ),
  ),
  statuses: [401, 404],
});
