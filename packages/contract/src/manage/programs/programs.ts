import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { COMMISSION_BASE_NAMES, COMMISSION_TYPE_NAMES } from '../../values/commission-types.ts';
import { currency, isStorableTime } from '../../values/fields.ts';
import { linkParameters } from '../../values/link-parameters.ts';
import { ATTRIBUTION_NAMES, JOINING, LEAD_AUTH, PROGRAM_STATUSES } from '../../values/program.ts';
import {
  commissionBase,
  commissionRate,
  commissionType,
  contactEmail,
  contactUrl,
  domain,
  earnings,
  listOfOrigins,
  origins,
  programName,
  windowDays,
} from '../../values/program-fields.ts';
import { MANAGE, managed, one, PROGRAM, requiredTogether } from '../route.ts';

const settings = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  domain: z.string(),
  status: z.enum(PROGRAM_STATUSES),
  commission_type: z.enum(COMMISSION_TYPE_NAMES),
  commission_rate: z.number(),
  commission: z.string().describe('Readable description, such as `20% per sale`.'),
  earnings: earnings.describe('What a new partner earns, with the rules of the default group.'),
  commission_base: z.enum(COMMISSION_BASE_NAMES),
  attribution: z.enum(ATTRIBUTION_NAMES).describe('Whether the first or the last click of a visitor is credited.'),
  currency: z.string(),
  recurring_months: z.int().nullable(),
  cookie_window_days: z.int(),
  attribution_window_days: z.int(),
  hold_days: z.int(),
  lead_auth: z.enum(LEAD_AUTH),
  coupons_win: z.boolean().describe('Whether a coupon code takes a customer over from the partner who had them first.'),
  allowed_origins: z.array(z.string()),
  link_parameters: z
    .array(z.string())
    .describe(
      'Parameters that name the partner in links, besides `aff`, such as `via`; the first one that is present counts.',
    ),
  contact_email: z.string().nullable().describe('Shown to partners.'),
  contact_url: z.string().nullable().describe('Shown to partners.'),
  joining: z.enum(JOINING).describe('Whether people can join as partners through the join link.'),
  join_url: z.string().nullable().describe('The join link; null while joining is closed.'),
  brand_color: z.string().nullable(),
  logo_url: z.string().nullable(),
  api_key_masked: z.string().nullable().describe('The newest live key.'),
  api_key_rotate_by: z.iso
    .datetime()
    .nullable()
    .describe('The earliest rotation deadline, if a live key is marked for rotation.'),
  created_at: z.iso.datetime(),
});
z.globalRegistry.add(settings, { id: 'Program' });

export const manageProgram = defineRoute({
  ...managed,
  id: 'manageProgram',
  method: 'GET',
  path: PROGRAM,
  summary: 'Get the settings of a program',
  description: 'The API key is masked.',
  role: 'viewer',
  reply: one(settings),
  statuses: [401, 404],
});

/** Settings that a new program has defaults for. */
const optionalSettings = {
  commission_type: commissionType.optional(),
  commission_rate: commissionRate.optional(),
  commission_base: commissionBase.optional(),
  currency: currency.optional(),
  recurring_months: windowDays('recurring_months', 0)
    .nullable()
    .transform((months) => months || null)
    .optional()
    .describe('0 or null = no limit.'),
  cookie_window_days: windowDays('cookie_window_days').optional(),
  attribution_window_days: windowDays('attribution_window_days').optional(),
  hold_days: windowDays('hold_days', 0).optional(),
  lead_auth: z.enum(LEAD_AUTH, { error: `lead_auth must be ${LEAD_AUTH.join(' or ')}` }).optional(),
  coupons_win: z.boolean({ error: 'coupons_win must be true or false' }).optional(),
  allowed_origins: origins.optional(),
  link_parameters: linkParameters
    .optional()
    .describe(
      'Parameters that the tracker and redirects read like `aff`, in order, for the links of another tool. Replaces all of them.',
    ),
  contact_email: contactEmail.optional(),
  contact_url: contactUrl.optional(),
  joining: z.enum(JOINING, { error: `joining must be ${JOINING.join(', ')}` }).optional(),
};

export const manageCreateProgram = defineRoute({
  ...managed,
  id: 'manageCreateProgram',
  proof: { none: 'A new program has nothing to protect yet.' },
  method: 'POST',
  path: `${MANAGE}/programs`,
  summary: 'Create a program',
  description:
    'Returns the API key in full; it cannot be read again later. The default commission is 20 percent per sale.',
  role: 'member',
  success: 201,
  precheck: requiredTogether('name and domain are required', 'name', 'domain'),
  body: z.object({ name: programName, domain, ...optionalSettings }),
  reply: one(settings.extend({ api_key: z.string() })),
  statuses: [400, 401, 403, 409],
});

const changes = z.object({
  name: programName.optional(),
  domain: domain.optional(),
  ...optionalSettings,
  add_allowed_origins: listOfOrigins('add_allowed_origins')
    .optional()
    .describe('Allowed from now on, besides those that are allowed already. Safe to repeat, and from several callers.'),
});

export type ProgramChanges = z.infer<typeof changes>;

export const manageUpdateProgram = defineRoute({
  ...managed,
  id: 'manageUpdateProgram',
  proof: { withFields: ['commission_type', 'commission_rate', 'commission_base', 'recurring_months', 'currency'] },
  method: 'PATCH',
  path: PROGRAM,
  ifMatch: true,
  summary: 'Update the settings of a program',
  description:
    'Only the fields that are sent change. Other terms count for payments made from now on: see the history of terms.',
  role: 'member',
  keepsNull: ['recurring_months', 'contact_email', 'contact_url'],
  body: changes,
  reply: one(settings),
  statuses: [400, 401, 404, 409],
});

export const manageRenewJoinLink = defineRoute({
  ...managed,
  id: 'manageRenewJoinLink',
  proof: { none: 'It only ends access; a new link can be sent.' },
  method: 'POST',
  path: `${PROGRAM}/join-link`,
  summary: 'Replace the join link',
  description: 'The previous link stops working immediately. Partners who joined through it stay.',
  role: 'member',
  reply: one(settings),
  statuses: [401, 404],
});

export const manageRegenerateKey = defineRoute({
  ...managed,
  id: 'manageRegenerateKey',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/api-key/regenerate`,
  summary: 'Regenerate the API key',
  description:
    'Returns the new key in full; it cannot be read again later. The old key stops working immediately, and so does a second ' +
    'live key. To keep the old one until the new one is in use, create a second key instead.',
  role: 'owner',
  reply: one(z.object({ api_key: z.string(), api_key_masked: z.string() })),
  statuses: [401, 403, 404],
});

export const manageRequireRotation = defineRoute({
  ...managed,
  id: 'manageRequireRotation',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/api-key/require-rotation`,
  summary: 'Mark the API key for rotation',
  description:
    'Every response warns until the deadline; after that the key is refused. Of two live keys, it is the older one that still works.',
  role: 'owner',
  body: z.object({
    rotate_by: z.iso
      .datetime({ offset: true, error: 'rotate_by must be an ISO 8601 time' })
      .transform((value) => new Date(value))
      .refine(isStorableTime, { error: 'rotate_by must be before the year 10000' }),
  }),
  reply: one(z.object({ api_key_masked: z.string(), marked_at: z.iso.datetime(), rotate_by: z.iso.datetime() })),
  statuses: [400, 401, 403, 404],
});
