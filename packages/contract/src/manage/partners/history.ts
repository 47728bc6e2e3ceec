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
  'moved',
] as const;

export type PartnerEvent = (typeof PARTNER_EVENTS)[number];

/** A move to another group: by a tier, with the day for which it was counted and what was counted, or by a person. */
export const groupMove = {
  at: z.iso.datetime(),
  group: z.string().describe('The group that the partner was moved to.'),
  tier: z
    .object({ day: z.iso.date(), counted: z.int().describe('Confirmed sales, or revenue in cents, before that day.') })
    .nullable()
    .describe('Null if a person moved them.'),
};

export const managePartnerHistory = defineRoute({
  ...managed,
  id: 'managePartnerHistory',
  method: 'GET',
  path: `${PROGRAM}/partners/:partner_id/history`,
  summary: 'Get the history of a partner',
  description:
    'How they joined, what was decided about them, and which groups people and tiers moved them to, newest first: up to 200 ' +
    'events of each kind. Decisions from before they were recorded are missing.',
  role: 'viewer',
  reply: one(
    z.array(
      z.object({
        event: z.enum(PARTNER_EVENTS),
        by: z
          .string()
          .nullable()
          .describe('The name of the user; null for the service and for accounts that are gone.'),
        ...groupMove,
        group: groupMove.group.nullable().describe('The group that the partner was moved to; null for other events.'),
      }),
    ),
  ),
  statuses: [401, 404],
});
