import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { personName, sumCents } from '../../values/fields.ts';
import { PROGRAM_STATUSES } from '../../values/program.ts';
import { MANAGE, managed, one } from '../route.ts';

const workspace = one(
  z.object({
    id: z.int(),
    name: z.string(),
    second_factor_required: z.boolean().describe('Whether members need an authenticator app or a passkey.'),
    newer_release: z
      .string()
      .nullable()
      .describe('A newer release of the service, to which the operator can upgrade. Null if none is known.'),
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

export const manageWorkspaceOverview = defineRoute({
  ...managed,
  id: 'manageWorkspaceOverview',
  method: 'GET',
  path: `${MANAGE}/workspace/overview`,
  mayBeBehind: true,
  summary: 'Get what is going on in all programs',
  description:
    'One entry for each program of the workspace, by name: what needs attention, what is due to partners, and the results of the last 30 days. Archived programs come last.',
  role: 'viewer',
  reply: one(
    z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        domain: z.string(),
        status: z.enum(PROGRAM_STATUSES),
        partners: z.int().describe('Active partners.'),
        applications: z.int().describe('Applications that wait for a decision.'),
        open_alerts: z.int().describe('What is wrong at the moment; `GET /alerts` of the program says what.'),
        balances: z
          .array(z.object({ currency: z.string(), payable_cents: sumCents, pending_cents: sumCents }))
          .describe('What is due to partners, by currency.'),
        last_30_days: z.object({
          clicks: z.int(),
          leads: z.int(),
          sales: z.int(),
          money: z.array(
            z.object({
              currency: z.string(),
              revenue_cents: sumCents,
              refunded_cents: sumCents,
              commission_cents: sumCents,
            }),
          ),
        }),
      }),
    ),
  ),
  statuses: [401, 403],
});
