import {
  ATTRIBUTION_NAMES,
  cliPrograms,
  manageAskAboutOrder,
  manageExplain,
  manageMe,
  manageReadiness,
  manageSimulateTerms,
  manageUpcoming,
} from '@svc/contract';
import { z } from 'zod';
import { diagnoseTracking } from './diagnose-tracking.ts';
import { ofProgram, programId, type Tool } from './tool.ts';
import { whyNoCommission } from './why-no-commission.ts';

const subject = {
  program_id: programId,
  transaction_id: z.string().optional(),
  customer_key: z.string().optional(),
  click_id: z.string().optional(),
};

/** Tools that only read, besides the lists. */
export const readTools: Tool[] = [
  {
    name: 'list_programs',
    title: 'List programs',
    description: 'The programs of your workspace, and those that you are a partner of.',
    for: 'everyone',
    input: z.strictObject({}),
    does: {
      reads: async (call) => {
        const { data: me } = await call(manageMe, {});
        const own = me.advertiser_id === null ? [] : (await call(cliPrograms, {})).data;
        const { user, workspace, role, partner_of } = me;
        return { account: { email: user.email, workspace, role }, programs: own, partner_of };
      },
    },
  },
  {
    name: 'explain',
    title: 'Explain a sale, customer or click',
    description: 'Every decision about it, oldest first, each with a sentence and a stable reason code.',
    for: 'brand',
    input: z.strictObject(subject),
    does: { reads: (call, { program_id, ...query }) => call(manageExplain, { params: { program_id }, query }) },
  },
  {
    name: 'why_no_commission',
    title: 'Why is there no commission?',
    description: 'Says whether a sale, customer or click earned a commission and, if not, what decided against it.',
    for: 'brand',
    input: z.strictObject(subject),
    does: { reads: whyNoCommission },
  },
  {
    name: 'diagnose_tracking',
    title: 'Diagnose the tracking of a site',
    description:
      'What has arrived from the site and its server, which calls were refused and why, and what to do about it.',
    for: 'brand',
    input: z.strictObject({ program_id: programId }),
    does: { reads: diagnoseTracking },
  },
  {
    name: 'readiness',
    title: 'Get the readiness report',
    description: 'How complete the integration is: five gates, each with the next action unless it has passed.',
    for: 'brand',
    input: z.strictObject({ program_id: programId }),
    does: { reads: (call, args) => call(manageReadiness, { params: ofProgram(args) }) },
  },
  {
    name: 'simulate',
    title: manageSimulateTerms.summary,
    description: 'Compares what other terms would have paid in a period with what was paid.',
    for: 'brand',
    input: z.strictObject({
      program_id: programId,
      // The schema of rules is longer than all others together. The route checks them, and the guide has examples.
      rules: z
        .array(z.looseObject({}))
        .describe(
          'The first that matches pays: {on: "sale"|"lead", for?, when?, pays: {type: "percent"|"fixed", rate, months?}, caps?}. The resource docs/guide/terms has all fields.',
        ),
      attribution: z.enum(ATTRIBUTION_NAMES).optional(),
      from: z.string(),
      to: z.string(),
    }),
    does: { reads: (call, { program_id, ...body }) => call(manageSimulateTerms, { params: { program_id }, body }) },
  },
  {
    name: 'ask_about_order',
    title: 'Ask whether an order is credited',
    description: 'Whether an order is credited to a partner, and why or why not.',
    for: 'everyone',
    input: z.strictObject({
      program_id: programId,
      transaction_id: z.string().optional(),
      email: z.string().optional().describe('The address of the customer, if the transaction id is not known.'),
      partner_id: z.int().optional().describe('Required unless you are the partner.'),
    }),
    does: {
      reads: (call, { program_id, ...body }) => call(manageAskAboutOrder, { params: { program_id }, body }),
      isCounted: true,
    },
  },
  {
    name: 'upcoming_payouts',
    title: 'See what the next payouts contain',
    description: 'What is due to partners now, and what becomes due when holds end.',
    for: 'everyone',
    input: z.strictObject({ program_id: programId, partner_id: z.int().optional() }),
    does: { reads: (call, { program_id, ...query }) => call(manageUpcoming, { params: { program_id }, query }) },
  },
];
