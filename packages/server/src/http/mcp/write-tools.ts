import {
  errors,
  manageAddLink,
  manageAddPartner,
  manageLinks,
  manageMe,
  managePartner,
  managePartners,
  manageProgram,
  manageReviewCommissions,
  manageTestChain,
  manageUpdateLink,
  manageUpdatePartner,
  manageUpdateProgram,
  mayCall,
  REVIEW_ACTIONS,
} from '@svc/contract';
import { z } from 'zod';
import { type CallRoute, Refusal } from './call-route.ts';
import { planReview } from './plan-review.ts';
import { type Args, ofProgram, programId, type Tool } from './tool.ts';

const partnerId = z.int().positive();
const ADDS = { destructiveHint: false, idempotentHint: false };
const SETS = { destructiveHint: true, idempotentHint: true };

/** Tools that change something. Each one answers with a plan first, and acts when it is called with the token of the plan. */
export const writeTools: Tool[] = [
  {
    name: 'add_partner',
    title: 'Add a partner',
    description: 'Adds a partner and creates the link that invites them to the portal.',
    for: 'brand',
    input: z.strictObject({
      program_id: programId,
      name: z.string(),
      email: z.string(),
      external_id: z.string().optional(),
    }),
    does: {
      hints: ADDS,
      async plans(call, { program_id, name, email }) {
        const program = await programOf(call, { program_id });
        const query = { q: email, limit: 100 };
        const { data } = await call(managePartners, { params: { program_id }, query });
        const known = data.find((partner) => partner.email.toLowerCase() === email.trim().toLowerCase());
        if (known) throw new Refusal(409, `${email} is partner ${known.id} already, with the status ${known.status}.`);
        return { summary: `Add ${name} (${email}) as a partner of ${program.name}, and invite them.`, program };
      },
      change: ({ program_id, ...body }) => ({ route: manageAddPartner, params: { program_id }, body }),
    },
  },
  {
    name: 'set_partner_status',
    title: 'Change a partner’s status',
    description: 'Approves an applicant, blocks or removes a partner, or restores one with `active`.',
    for: 'brand',
    input: z.strictObject({
      program_id: programId,
      partner_id: partnerId,
      status: z.enum(['active', 'blocked', 'removed']),
    }),
    does: {
      hints: SETS,
      async plans(call, { program_id, partner_id, status }) {
        const partner = await partnerOf(call, { program_id, partner_id });
        return {
          summary: `Change the status of ${partner.name} (${partner.email}) from ${partner.status} to ${status}.`,
          partner,
        };
      },
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
    description: 'Leads to the start page unless `destination_url` names another page of the site.',
    for: 'everyone',
    input: z.strictObject({
      program_id: programId,
      partner_id: partnerId.optional().describe('Required unless you are the partner.'),
      short_link: z.string().optional().describe('The value of `?aff=`; generated if left out.'),
      destination_url: z.string().optional(),
      label: z.string().optional(),
    }),
    does: {
      hints: ADDS,
      async plans(call, args) {
        const { short_link, destination_url } = args;
        const partner = await linkOwner(call, args);
        const whose = partner ? `for ${partner.name} (${partner.email})` : 'of your own';
        const named = short_link ? ` ${short_link}` : '';
        const target = destination_url ?? 'the start page';
        return {
          summary: `Create the referral link${named} ${whose} in program ${args.program_id}. It leads to ${target}.`,
          ...(partner && { partner }),
        };
      },
      change: ({ program_id, ...body }) => ({ route: manageAddLink, params: { program_id }, body }),
    },
  },
  {
    name: 'set_link_active',
    title: 'Enable or disable a link',
    description: 'Clicks on a disabled link are not counted.',
    for: 'everyone',
    input: z.strictObject({ program_id: programId, link_id: z.int().positive(), active: z.boolean() }),
    does: {
      hints: SETS,
      async plans(call, { program_id, link_id, active }) {
        const { data } = await call(manageLinks, { params: { program_id }, query: { link_id } });
        const [link] = data;
        if (!link) throw new Refusal(404, `There is no link ${link_id} in program ${program_id}.`);
        const { id, short_link, url, partner_id, partner_name, numbers } = link;
        return {
          summary: `${active ? 'Enable' : 'Disable'} the link ${short_link} of ${partner_name}.`,
          link: { id, short_link, url, partner_id, partner_name, active: link.active, numbers },
        };
      },
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
      hints: { destructiveHint: false, idempotentHint: true },
      async plans(call, { program_id, origins }) {
        const { name, domain, allowed_origins } = (await call(manageProgram, { params: { program_id } })).data;
        const added = origins.filter((origin: string) => !allowed_origins.includes(origin));
        const skipped = origins.filter((origin: string) => allowed_origins.includes(origin));
        return {
          summary: `Allow pages on ${added.join(', ') || 'no further origin'} to report to ${name}.`,
          ...{ program: { id: program_id, name, domain }, allowed_now: allowed_origins, added },
          skipped: skipped.map((origin: string) => ({ origin, reason: 'allowed already' })),
        };
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
    description: 'Up to 200 by their ids. A reason for rejecting is shown to the partner.',
    for: 'brand',
    input: z.strictObject({
      program_id: programId,
      action: z.enum(REVIEW_ACTIONS),
      ids: z.array(z.int().positive()).min(1).max(200),
      reason: z.string().optional(),
    }),
    does: {
      hints: SETS,
      plans: planReview,
      change: ({ program_id, ...body }) => ({ route: manageReviewCommissions, params: { program_id }, body }),
    },
  },
  {
    name: 'run_test_chain',
    title: 'Run a test chain',
    description: 'Sends a test click, lead and sale of one customer. At most ten an hour.',
    for: 'brand',
    input: z.strictObject({ program_id: programId }),
    does: {
      hints: ADDS,
      isRehearsed: false,
      async plans(call, args) {
        const program = await programOf(call, args);
        const { role } = (await call(manageMe, {})).data;
        if (!role || !mayCall(role, manageTestChain)) {
          const { status, message } = errors.roleRequired(manageTestChain.role);
          throw new Refusal(status, message);
        }
        return { summary: `Send a test click, lead and sale to ${program.name}. They count nowhere.`, program };
      },
      change: ({ program_id }) => ({ route: manageTestChain, params: { program_id } }),
    },
  },
];

async function programOf(call: CallRoute, args: Args) {
  const { id, name, domain, status } = (await call(manageProgram, { params: ofProgram(args) })).data;
  return { id, name, domain, status };
}

async function partnerOf(call: CallRoute, params: { program_id: number; partner_id: number }) {
  const { data } = await call(managePartner, { params });
  const { id, name, email, status, group_name, numbers } = data;
  return { id, name, email, status, group_name, numbers };
}

/** Whose link a new one would be; null for the caller's own. Partners create their own, whomever they name. */
async function linkOwner(call: CallRoute, { program_id, partner_id }: Args) {
  const { partner_of: memberships } = (await call(manageMe, {})).data;
  const isPartner = memberships.some((membership) => membership.program_id === program_id);
  if (isPartner && !(await isReadable(call, program_id))) return null;
  if (partner_id === undefined) throw new Refusal(400, errors.partnerRequired().message);
  return partnerOf(call, { program_id, partner_id });
}

/** Whether the caller sees the program as its brand does. */
const isReadable = (call: CallRoute, program_id: number) =>
  call(manageProgram, { params: { program_id } }).then(
    () => true,
    (error) => {
      if (error instanceof Refusal && error.status === 404) return false;
      throw error;
    },
  );
