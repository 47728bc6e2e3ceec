import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText, readByOthers } from '../../values/fields.ts';
import { groupTier } from '../../values/group-tier.ts';
import { managed, one, PROGRAM, requiredTogether } from '../route.ts';

export const MAX_GROUPS = 100;
const GROUPS = `${PROGRAM}/groups`;
const GROUP = `${GROUPS}/:group_id`;

const group = z.object({
  id: z.int(),
  name: z.string(),
  is_default: z.boolean().describe('Whether partners are in it who were not moved to another group.'),
  tier: groupTier.nullable().describe('From when on partners belong to it without being moved by hand.'),
  partners: z.int().describe('How many partners are in it, whatever their status is.'),
});

const name = readByOthers(boundedText('name', 100).trim().min(1, { error: 'name must not be empty' }));

export const manageGroups = defineRoute({
  ...managed,
  id: 'manageGroups',
  method: 'GET',
  path: GROUPS,
  summary: 'List the groups of partners',
  description: 'A partner is in one group of a program. The default group comes first, then the others by name.',
  role: 'viewer',
  reply: one(z.array(group)),
  statuses: [401, 404],
});

export const manageAddGroup = defineRoute({
  ...managed,
  id: 'manageAddGroup',
  proof: { none: 'It can be undone.' },
  method: 'POST',
  path: GROUPS,
  summary: 'Create a group of partners',
  description:
    `A program can have ${MAX_GROUPS} groups. With a tier, partners move into the group by themselves, once a day, and out of ` +
    'it again. All tiers of a program count the same thing, with different thresholds.',
  role: 'member',
  success: 201,
  precheck: requiredTogether('name is required', 'name'),
  body: z.object({ name, tier: groupTier.optional() }),
  example: { name: 'Gold', tier: { of: 'revenue', in: 'month', at_least: 500000 } },
  reply: one(group),
  statuses: [400, 401, 404, 409],
});

export const manageUpdateGroup = defineRoute({
  ...managed,
  id: 'manageUpdateGroup',
  proof: { none: 'It can be undone.' },
  method: 'PATCH',
  path: GROUP,
  summary: 'Change a group of partners',
  description: 'Only the fields that are sent change. Versions of the terms keep the name that they were made with.',
  role: 'member',
  keepsNull: ['tier'],
  body: z.object({ name: name.optional(), tier: groupTier.nullable().optional().describe('Null removes the tier.') }),
  reply: one(group),
  statuses: [400, 401, 404, 409],
});

export const manageDeleteGroup = defineRoute({
  ...managed,
  id: 'manageDeleteGroup',
  proof: { none: 'Only a group without partners can be deleted.' },
  method: 'DELETE',
  path: GROUP,
  summary: 'Delete a group of partners',
  description: 'Only an empty one that the current and the scheduled terms do not name. The default group stays.',
  role: 'member',
  reply: one(z.object({})),
  statuses: [401, 404, 409],
});
