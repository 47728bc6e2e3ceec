import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { PROGRAM_STATUSES } from '../../values/program.ts';
import { managed, one, PROGRAM } from '../route.ts';

export const manageSetProgramStatus = defineRoute({
  ...managed,
  id: 'manageSetProgramStatus',
  proof: { none: 'It can be undone.' },
  method: 'PUT',
  path: `${PROGRAM}/status`,
  summary: 'Pause, archive or resume a program',
  description:
    'While a program is `paused` or `archived`, its links answer clicks with 410 and nobody can join it. What customers ' +
    'from before buy is recorded and earns commissions, and payouts continue. Set `active` to resume it.',
  role: 'owner',
  body: z.object({
    status: z.enum(PROGRAM_STATUSES, { error: `status must be ${PROGRAM_STATUSES.join(', ')}` }),
  }),
  reply: one(z.object({ id: z.int(), status: z.enum(PROGRAM_STATUSES) })),
  statuses: [400, 401, 403, 404],
});

export const manageDeleteProgram = defineRoute({
  ...managed,
  id: 'manageDeleteProgram',
  proof: 'recent',
  method: 'DELETE',
  path: PROGRAM,
  ifMatch: true,
  summary: 'Delete a program',
  description:
    'Only while it has no partners, customers, sales or payment processor; archive it otherwise. Its key stops working ' +
    'immediately, and it cannot be restored. Test events do not count.',
  role: 'owner',
  reply: one(z.object({})),
  statuses: [401, 403, 404, 409],
});
