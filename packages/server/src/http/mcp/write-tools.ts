import {
  manageAddLink,
  manageAddPartner,
  managePartner,
  manageProgram,
  manageReviewCommissions,
  manageTestChain,
  manageUpdateLink,
  manageUpdatePartner,
  manageUpdateProgram,
  REVIEW_ACTIONS,
} from '@svc/contract';
import { z } from 'zod';
import { ofProgram, programId, type Tool } from './tool.ts';

const partnerId = z.int().positive().describe('list_partners has the ids.');

/** Tools that change something. Each one answers with a plan first, and acts when it is called with the token of the plan. */
export const writeTools: Tool[] = [
  {
    name: 'add_partner',
    title: 'Add a partner',
    description: manageAddPartner.description,
    for: 'brand',
    input: z.strictObject({ program_id: programId, name: z.string(), email: z.string() }),
    does: {
      plans: ({ program_id, name, email }) => `Add ${name} (${email}) as a partner of program ${program_id}.`,
      change: ({ program_id, ...body }) => ({ route: manageAddPartner, params: { program_id }, body }),
    },
  },
  {
    name: 'set_partner_status',
    title: 'Change a partner’s status',
    description: manageUpdatePartner.description,
    for: 'brand',
    input: z.strictObject({
      program_id: programId,
      partner_id: partnerId,
      status: z.enum(['active', 'blocked', 'removed']),
    }),
    does: {
      plans: ({ program_id, partner_id, status }) =>
        `Set the status of partner ${partner_id} in program ${program_id} to ${status}.`,
      before: (call, { program_id, partner_id }) => call(managePartner, { params: { program_id, partner_id } }),
      change: ({ program_id, partner_id, status }) => ({
        route: manageUpdatePartner,
        params: { program_id, partner_id },
        body: { status },
      }),
    },
  },
  {
    name: 'add_link',
    title: 'Create a referral link',
    description: manageAddLink.description,
    for: 'everyone',
    input: z.strictObject({
      program_id: programId,
      partner_id: partnerId.optional().describe('Required unless you are the partner.'),
      short_link: z.string().optional().describe('The value of `?aff=`; generated if left out.'),
      destination_url: z.string().optional(),
      label: z.string().optional(),
    }),
    does: {
      plans: ({ program_id, partner_id }) =>
        `Create a referral link of ${partner_id ? `partner ${partner_id}` : 'yours'} in program ${program_id}.`,
      change: ({ program_id, ...body }) => ({ route: manageAddLink, params: { program_id }, body }),
    },
  },
  {
    name: 'set_link_active',
    title: 'Enable or disable a link',
    description: manageUpdateLink.description,
    for: 'everyone',
    input: z.strictObject({ program_id: programId, link_id: z.int().positive(), active: z.boolean() }),
    does: {
      plans: ({ program_id, link_id, active }) =>
        `${active ? 'Enable' : 'Disable'} link ${link_id} of program ${program_id}.`,
      change: ({ program_id, link_id, active }) => ({
        route: manageUpdateLink,
        params: { program_id, link_id },
        body: { active },
      }),
    },
  },
  {
    name: 'add_origins',
    title: 'Allow origins',
    description: 'Allows pages on these origins to report events, such as http://localhost:3000.',
    for: 'brand',
    input: z.strictObject({ program_id: programId, origins: z.array(z.string()).min(1).max(20) }),
    does: {
      plans: ({ program_id, origins }) => `Allow pages on ${origins.join(', ')} to report to program ${program_id}.`,
      before: async (call, args) => {
        const { data } = await call(manageProgram, { params: ofProgram(args) });
        return { domain: data.domain, allowed_origins: data.allowed_origins };
      },
      change: ({ program_id, origins }) => ({
        route: manageUpdateProgram,
        params: { program_id },
        body: { add_allowed_origins: origins },
      }),
    },
  },
  {
    name: 'review_commissions',
    title: 'Approve, reject or restore commissions',
    description: 'Reviews up to 200 commissions by their ids. A reason for rejecting is shown to the partner.',
    for: 'brand',
    input: z.strictObject({
      program_id: programId,
      action: z.enum(REVIEW_ACTIONS),
      ids: z.array(z.int().positive()).min(1).max(200).describe('list_commissions has the ids.'),
      reason: z.string().optional(),
    }),
    does: {
      plans: ({ program_id, action, ids }) => `In program ${program_id}, ${action} the commissions ${ids.join(', ')}.`,
      change: ({ program_id, ...body }) => ({ route: manageReviewCommissions, params: { program_id }, body }),
    },
  },
  {
    name: 'run_test_chain',
    title: 'Run a test chain',
    description: manageTestChain.description,
    for: 'brand',
    input: z.strictObject({ program_id: programId }),
    does: {
      plans: ({ program_id }) => `Send a test click, lead and sale to program ${program_id}. They count nowhere.`,
      change: ({ program_id }) => ({ route: manageTestChain, params: { program_id } }),
    },
  },
];
