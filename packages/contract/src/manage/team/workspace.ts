import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { personName } from '../../values/fields.ts';
import { MANAGE, managed, one } from '../route.ts';

const workspace = one(
  z.object({
    id: z.int(),
    name: z.string(),
    second_factor_required: z.boolean().describe('Whether members need an authenticator app or a passkey.'),
    newer_release: z
      .string()
      .nullable()
      .describe('A newer release of the service that whoever runs it can upgrade to. Null if none is known.'),
  }),
);

export const manageWorkspace = defineRoute({
  ...managed,
  id: 'manageWorkspace',
  method: 'GET',
  path: `${MANAGE}/workspace`,
  summary: 'Get the settings of your workspace',
  description: 'They apply to all its programs and members.',
  role: 'viewer',
  reply: workspace,
  statuses: [401, 403],
});

export const manageUpdateWorkspace = defineRoute({
  ...managed,
  id: 'manageUpdateWorkspace',
  proof: { withFields: ['second_factor_required'] },
  method: 'PATCH',
  path: `${MANAGE}/workspace`,
  summary: 'Change the settings of your workspace',
  description:
    'Only the fields that are sent change. With `second_factor_required`, owners and members without a second factor can do nothing in the workspace until they set one up, in the dashboard or with account tokens. You need one yourself.',
  role: 'owner',
  body: z.object({
    name: personName.optional(),
    second_factor_required: z.boolean({ error: 'second_factor_required must be true or false' }).optional(),
  }),
  reply: workspace,
  statuses: [400, 401, 403, 409],
});
