import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { ATTRIBUTION_NAMES } from '../../values/program.ts';
import { earnings } from '../../values/program-fields.ts';
import { groupMove } from '../partners/history.ts';
import { idFilter, one, PROGRAM, shared } from '../route.ts';

export const managePartnerTerms = defineRoute({
  ...shared,
  id: 'managePartnerTerms',
  path: `${PROGRAM}/partner-terms`,
  summary: 'Get the terms of a partner',
  description:
    'Which rules of the terms in force can pay this partner, in the order in which they are tried. Partners get their own; ' +
    'rules for others are left out.',
  query: z.object({ partner_id: idFilter('partner_id').describe('Required unless the caller is the partner.') }),
  reply: one(
    z.object({
      version: z.int(),
      effective_from: z.iso.datetime(),
      group_name: z.string().describe('The group of the partner.'),
      attribution: z
        .enum(ATTRIBUTION_NAMES)
        .describe('Whether the partner of the first or of the last click of a visitor is credited.'),
      commission: z.string().describe('What is paid if no rule matches, such as `20% per sale`.'),
      earnings,
      moves: z.array(z.object(groupMove)).describe('The last twenty moves between groups, newest first.'),
      rules: z.array(
        z.object({
          rule: z.int().describe('Its number in the version.'),
          description: z.string().describe('What it pays this partner.'),
        }),
      ),
    }),
  ),
});
