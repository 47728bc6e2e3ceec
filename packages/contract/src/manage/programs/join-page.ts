import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { agreementText, brandColor, logoImage, MAX_LOGO_BYTES, question, questions } from '../../values/join-page.ts';
import { managed, one, PROGRAM } from '../route.ts';

const joinPage = z.object({
  brand_color: z.string().nullable().describe('The color of the join page and the portal, like `#1a7f5a`.'),
  logo_url: z.string().nullable(),
  questions: z.array(question).describe('What applicants are asked on the join page.'),
  agreement: z
    .object({ version: z.int(), text: z.string(), created_at: z.iso.datetime() })
    .nullable()
    .describe('What new partners have to accept.'),
});
z.globalRegistry.add(joinPage, { id: 'JoinPage' });

export const manageJoinPage = defineRoute({
  ...managed,
  id: 'manageJoinPage',
  method: 'GET',
  path: `${PROGRAM}/join-page`,
  summary: 'Get the join page',
  description: 'The brand’s look on the join page and in the portal, and what new partners are asked and accept.',
  role: 'viewer',
  reply: one(joinPage),
  statuses: [401, 404],
});

export const manageUpdateJoinPage = defineRoute({
  ...managed,
  id: 'manageUpdateJoinPage',
  proof: { none: 'It can be undone.' },
  method: 'PATCH',
  path: `${PROGRAM}/join-page`,
  summary: 'Change the join page',
  description:
    'Only the fields that are sent change. Another text of the agreement is a new version, which new partners accept; ' +
    'earlier versions are kept with who accepted them.',
  role: 'member',
  keepsNull: ['brand_color', 'agreement'],
  body: z.object({
    brand_color: brandColor.nullable().optional().describe('Null for the default color.'),
    questions: questions.optional().describe('Replaces all questions.'),
    agreement: agreementText
      .nullable()
      .optional()
      .describe('Plain text; empty or null when there is nothing to accept.'),
  }),
  reply: one(joinPage),
  statuses: [400, 401, 404],
});

export const manageSetLogo = defineRoute({
  ...managed,
  id: 'manageSetLogo',
  proof: { none: 'It can be undone.' },
  method: 'PUT',
  path: `${PROGRAM}/logo`,
  summary: 'Upload the logo',
  description: `A PNG, JPEG or WebP file of at most ${MAX_LOGO_BYTES / 1024} KiB, in base64. Vector files are refused, because they can contain scripts.`,
  role: 'member',
  body: z.object({ image: logoImage }),
  reply: one(joinPage),
  statuses: [400, 401, 404],
});

export const manageRemoveLogo = defineRoute({
  ...managed,
  id: 'manageRemoveLogo',
  proof: { none: 'It can be undone.' },
  method: 'DELETE',
  path: `${PROGRAM}/logo`,
  summary: 'Remove the logo',
  description: 'Safe to repeat.',
  role: 'member',
  reply: one(joinPage),
  statuses: [401, 404],
});
