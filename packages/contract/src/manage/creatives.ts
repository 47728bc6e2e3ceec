import { z } from 'zod';
import type { FieldProblem } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import {
  CREATIVE_FILE_TYPES,
  CREATIVE_KINDS,
  CREATIVE_STATUSES,
  type CreativeKind,
  LINK_PLACEHOLDER,
  MAX_CREATIVE_BYTES,
  MAX_CREATIVE_TEXT_CHARS,
  MAX_CREATIVES,
  MAX_CREATIVES_BYTES,
} from '../values/creatives.ts';
import { boundedText, readByOthers, urlText } from '../values/fields.ts';
import { isWebAddress } from '../values/web-address.ts';
import { managed, one, PROGRAM, requiredTogether, shared } from './route.ts';

const CREATIVES = `${PROGRAM}/creatives`;
const CREATIVE = `${CREATIVES}/:creative_id`;
const MIB = 1024 * 1024;
const KINDS = Object.keys(CREATIVE_KINDS) as CreativeKind[];

const time = z.iso.datetime();

const file = z.object({
  name: z.string(),
  media_type: z.enum(CREATIVE_FILE_TYPES),
  size_bytes: z.int(),
  width: z.int().nullable().describe('In pixels; null for documents.'),
  height: z.int().nullable(),
});

const creative = z.object({
  id: z.int(),
  kind: z.enum(KINDS),
  title: z.string(),
  status: z.enum(CREATIVE_STATUSES),
  group_id: z.int().nullable().describe('The group of partners that sees it; null for all. Partners always get null.'),
  url: z.string().nullable().describe('Of a link.'),
  text: z.string().nullable().describe(`Of a text. \`${LINK_PLACEHOLDER}\` stands for the partner’s link.`),
  file: file.nullable(),
  created_at: time,
});
z.globalRegistry.add(creative, { id: 'Creative' });
export type CreativeRow = z.input<typeof creative>;

const TITLE = 'title must not be empty';
const title = readByOthers(boundedText('title', 100).trim().min(1, { error: TITLE }), 'title');
const STATUS = `status must be ${CREATIVE_STATUSES.join(' or ')}`;
const status = z.enum(CREATIVE_STATUSES, { error: STATUS });
const GROUP = 'group_id must be a whole number';
const groupId = z.int({ error: GROUP }).positive({ error: GROUP }).nullable();
const URL_PROBLEM = 'url must be a web address, without a user name or a password';
const url = urlText('url').trim().refine(isWebAddress, { error: URL_PROBLEM });
const text = boundedText('text', MAX_CREATIVE_TEXT_CHARS).trim().min(1, { error: 'text must not be empty' });
const FILE_NAME = 'file_name must not be empty';
const fileName = boundedText('file_name', 120).trim().min(1, { error: FILE_NAME });
const CONTENT = `content must be a file of at most ${MAX_CREATIVE_BYTES / MIB} MiB, in base64`;
const content = z
  .string({ error: CONTENT })
  .min(4, { error: CONTENT })
  .max(Math.ceil(MAX_CREATIVE_BYTES / 3) * 4, { error: CONTENT });

const KIND = `kind must be ${KINDS.join(', ')}`;

/** What a creative of the kind has to say, and must not. */
function misplaced({ kind, ...sent }: Record<string, unknown>): FieldProblem | null {
  const own = CREATIVE_KINDS[kind as CreativeKind];
  if (own === undefined) return null;
  if (sent[own] === undefined) return { message: `${own} is required`, field: own };
  if (kind === 'file' && sent.file_name === undefined) return { message: 'file_name is required', field: 'file_name' };
  const others = ['url', 'text', 'content', 'file_name'].filter((field) => field !== own);
  const extra = others.find((field) => sent[field] !== undefined && !(kind === 'file' && field === 'file_name'));
  return extra === undefined ? null : { message: `${extra} does not belong to a ${String(kind)}`, field: extra };
}

export const manageCreatives = defineRoute({
  ...shared,
  id: 'manageCreatives',
  path: CREATIVES,
  summary: 'List creatives',
  description:
    'Files, links and texts that partners use, in their order. Partners get those that are published for everyone or for their group.',
  reply: one(z.array(creative)),
  statuses: [401, 404],
});

export const manageAddCreative = defineRoute({
  ...managed,
  id: 'manageAddCreative',
  proof: { none: 'It can be undone.' },
  method: 'POST',
  path: CREATIVES,
  maxBodyBytes: 8 * MIB,
  largeField: 'content',
  summary: 'Add a creative',
  description:
    `Added at the end, as a draft unless \`status\` says otherwise. Files are PNG, JPEG, WebP, GIF or PDF of at most ${MAX_CREATIVE_BYTES / MIB} MiB, ` +
    `and ${MAX_CREATIVES_BYTES / MIB} MiB in all. What a file is decides its content, not its name. A program can have ${MAX_CREATIVES} creatives.`,
  role: 'member',
  success: 201,
  precheck: (sent) => requiredTogether('kind and title are required', 'kind', 'title')(sent) ?? misplaced(sent),
  body: z.object({
    kind: z.enum(KINDS, { error: KIND }),
    title,
    status: status.default('draft'),
    group_id: groupId.optional().describe('The group of partners that sees it. All see it without one.'),
    url: url.optional().describe('Of a link: a page. On the program’s site, partners get it with their code.'),
    text: text
      .optional()
      .describe(`Of a text: plain text. \`${LINK_PLACEHOLDER}\` stands for the link of the partner who copies it.`),
    file_name: fileName.optional().describe('Of a file. Its extension becomes that of what the file is.'),
    content: content.optional().describe('Of a file: its bytes in base64.'),
  }),
  example: { kind: 'text', title: 'Newsletter', text: 'I like Acme: {link}', status: 'published' },
  reply: one(creative),
  statuses: [400, 401, 404, 409, 413],
});

export const manageUpdateCreative = defineRoute({
  ...managed,
  id: 'manageUpdateCreative',
  proof: { none: 'It can be undone.' },
  method: 'PATCH',
  path: CREATIVE,
  summary: 'Change a creative',
  description: 'Only the fields that are sent change. The file of a creative never does: add another one instead.',
  role: 'member',
  keepsNull: ['group_id'],
  body: z.object({
    title: title.optional(),
    status: status.optional(),
    group_id: groupId.optional().describe('Null for all partners.'),
    url: url.optional().describe('Only of a link.'),
    text: text.optional().describe('Only of a text.'),
  }),
  reply: one(creative),
  statuses: [400, 401, 404],
});

export const manageDeleteCreative = defineRoute({
  ...managed,
  id: 'manageDeleteCreative',
  proof: { none: 'It decides nothing, and partners keep their copies.' },
  method: 'DELETE',
  path: CREATIVE,
  summary: 'Delete a creative',
  description: 'With its file, for good.',
  role: 'member',
  reply: one(z.object({})),
  statuses: [401, 404],
});

const IDS = `ids must be a list of 1 to ${MAX_CREATIVES} different creative ids`;

export const manageOrderCreatives = defineRoute({
  ...managed,
  id: 'manageOrderCreatives',
  proof: { none: 'It can be undone.' },
  method: 'PUT',
  path: `${PROGRAM}/creative-order`,
  summary: 'Order the creatives',
  description: 'Send the ids of all creatives in their new order. If others were added or deleted meanwhile: 409.',
  role: 'member',
  body: z.object({
    ids: z
      .array(z.int({ error: IDS }).positive({ error: IDS }), { error: IDS })
      .min(1, { error: IDS })
      .max(MAX_CREATIVES, { error: IDS })
      .refine((ids) => new Set(ids).size === ids.length, { error: IDS }),
  }),
  reply: one(z.array(creative)),
  statuses: [400, 401, 404, 409],
});

export const manageCreativeFile = defineRoute({
  ...shared,
  id: 'manageCreativeFile',
  path: `${CREATIVE}/file`,
  summary: 'Download the file of a creative',
  description: 'For those who see the creative. It never changes, so it may be cached; its `ETag` names its content.',
  reply: z.string(),
  replyType: 'image/png',
  otherReplyTypes: CREATIVE_FILE_TYPES.filter((type) => type !== 'image/png'),
  statuses: [401, 404],
});
