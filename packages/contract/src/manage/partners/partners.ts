import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { identifier, isStorable, optionalIdentifier, readByOthers, sumCents } from '../../values/fields.ts';
import { answer } from '../../values/join-page.ts';
import { MAX_IDENTIFIER_CHARS } from '../../values/limits.ts';
import { MEMBERSHIP_STATUSES } from '../../values/program.ts';
import { shownMethod } from '../account/payout-method.ts';
import {
  flag,
  idFilter,
  listed,
  listQuery,
  managed,
  one,
  PROGRAM,
  requiredTogether,
  searchFilter,
  sortBy,
  totals,
} from '../route.ts';
import { email, mailed, openLink } from '../team/invitations.ts';
import { manyWithNumbers, NUMBER_SORTS, numbers } from './numbers.ts';

/** The statuses that a brand can set; `applied` comes from the join link only. */
const STATUSES = ['active', 'blocked', 'removed'] as const;
export const PARTNER_STATUS = `status must be ${STATUSES.join(', ')}`;

/** Who decides which group a partner is in. */
const GROUP_SOURCES = ['tier', 'hand'] as const;
export type GroupSource = (typeof GROUP_SOURCES)[number];

const referred = (field: string) => {
  const error = `${field} must be a whole number or null`;
  return z.int({ error }).positive({ error }).nullable().optional();
};

const EXTERNAL_ID = `external_id must be 1 to ${MAX_IDENTIFIER_CHARS} characters without spaces, and neither . nor ..`;

/** The brand's own id of a partner. It is part of paths, where dots alone mean something else. */
export const partnerExternalId = z
  .string({ error: EXTERNAL_ID })
  .max(MAX_IDENTIFIER_CHARS, { error: EXTERNAL_ID })
  .refine((value) => /^(?!\.{1,2}$)\S+$/u.test(value) && isStorable(value), { error: EXTERNAL_ID });

const name = readByOthers(identifier('name').min(1, { error: 'name is required' }));

export const partnerRow = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  status: z.enum(MEMBERSHIP_STATUSES),
  has_account: z.boolean().describe('Whether the partner has an account.'),
  account_changed_at: z.iso
    .datetime()
    .nullable()
    .describe('When the partner was handed over to another account; null if they never were.'),
  group_id: z.int().describe('The group of the partner in this program.'),
  group_name: z.string(),
  group_by: z
    .enum(GROUP_SOURCES)
    .describe('`hand`: assigned manually; tiers do not move the partner. `tier`: assigned by tier rules.'),
  recruiter_id: z.int().nullable().describe('The partner who recruited this one.'),
  external_id: z.string().nullable().describe('Your own id of the partner; unique in the program.'),
  created_at: z.iso.datetime(),
});
z.globalRegistry.add(partnerRow, { id: 'Partner' });
export type PartnerRow = z.input<typeof partnerRow>;

/** The partner of another row. */
export const expandedPartner = partnerRow
  .nullable()
  .optional()
  .describe('The row of the list of partners. Only with `expand=partner`, which partners cannot ask for.');

/** A partner in the file of all partners: what a message to them needs comes first. */
export const partnerFileRow = z.object({
  name: z.string(),
  email: z.string(),
  link: z.string().nullable(),
  coupon: z.string().nullable(),
  ...partnerRow.omit({ name: true, email: true }).shape,
  earnings: z.string().describe('What the partner earns under the rules in force, in sentences.'),
});
export type PartnerFileRow = z.input<typeof partnerFileRow>;

export const PARTNER_SORTS = ['created_at', 'name', ...NUMBER_SORTS, 'payable_cents'] as const;
export type PartnerSort = (typeof PARTNER_SORTS)[number];

/** The filters of the list, of its file and of what is done with many partners. */
export const partnerFilters = {
  status: z.enum(MEMBERSHIP_STATUSES, { error: `status must be ${MEMBERSHIP_STATUSES.join(', ')}` }).optional(),
  has_account: flag('has_account').describe(
    'Whether they have an account. Active partners without one are invited: their links work, and they earn.',
  ),
  group_id: idFilter('group_id').describe('Partners who are in this group now.'),
  external_id: optionalIdentifier('external_id'),
  q: searchFilter('Part of the name or email, case-insensitive.'),
};

export const managePartners = defineRoute({
  ...managed,
  id: 'managePartners',
  mayBeBehind: true,
  method: 'GET',
  path: `${PROGRAM}/partners`,
  summary: 'List partners',
  description: 'Newest first, unless `sort` says otherwise. Amounts are compared in the currency of the program.',
  role: 'viewer',
  query: z.object({
    ...listQuery,
    sort: sortBy(PARTNER_SORTS, '-created_at'),
    totals,
    ...partnerFilters,
  }),
  reply: manyWithNumbers(
    partnerRow.extend({
      numbers,
      last_30_days: z
        .object({ clicks: z.int(), leads: z.int(), sales: z.int() })
        .describe('Results of the last 30 days, including today.'),
    }),
  ),
  statuses: [400, 401, 404],
});

export const manageAddPartner = defineRoute({
  ...managed,
  id: 'manageAddPartner',
  proof: { none: 'It can be undone.' },
  method: 'POST',
  path: `${PROGRAM}/partners`,
  summary: 'Add a partner',
  description:
    'Send them `invite_url` to give them access to the partner portal. It works once, for the account with this email address, and expires after seven days. A partner who already has an account needs no invitation.',
  role: 'member',
  success: 201,
  body: z.object({
    name,
    email,
    external_id: partnerExternalId.optional().describe('Your own id of the partner. They must not have another one.'),
    open_link: openLink,
  }),
  precheck: requiredTogether('name and email are required', 'name', 'email'),
  reply: one(
    partnerRow.extend({
      invite_url: z
        .string()
        .nullable()
        .describe(
          'Null for a partner who already has an account, and for one who is in other programs if the token is for one program.',
        ),
      mailed,
    }),
  ),
  statuses: [400, 401, 404, 409],
});

const partnerDetails = one(
  partnerRow.extend({
    numbers,
    payout_method: shownMethod
      .nullable()
      .describe('Where the partner wants to be paid, and from when on this program can pay there.'),
    undeliverable: z.boolean().describe('Whether a mail server has refused the partner’s address.'),
    invitation: z
      .object({ email: z.string(), expires_at: z.iso.datetime(), expired: z.boolean() })
      .nullable()
      .describe('The invitation that has not been accepted yet.'),
    answers: z.array(answer).describe('What they answered on the join page.'),
    agreements: z
      .array(z.object({ version: z.int(), accepted_at: z.iso.datetime() }))
      .describe('The versions of the agreement that they have accepted, newest first.'),
  }),
);

export const managePartner = defineRoute({
  ...listed,
  id: 'managePartner',
  path: `${PROGRAM}/partners/:partner_id`,
  summary: 'Get a partner',
  description: 'Whatever their status in the program is.',
  reply: partnerDetails,
});

const BY_EXTERNAL_ID = `${PROGRAM}/partners/by-external-id/:external_id`;

export const managePartnerByExternalId = defineRoute({
  ...listed,
  id: 'managePartnerByExternalId',
  path: BY_EXTERNAL_ID,
  summary: 'Get a partner by your own id',
  description: 'The same, by the `external_id`, URL-encoded.',
  reply: partnerDetails,
});

export const manageUpsertPartner = defineRoute({
  ...managed,
  id: 'manageUpsertPartner',
  proof: { none: 'It can be undone.' },
  method: 'PUT',
  path: BY_EXTERNAL_ID,
  ifMatch: true,
  summary: 'Add or change a partner by your own id',
  description:
    'Safe to repeat. A partner with this email who is in the program gets the id and the name; anyone else is added and invited, ' +
    'as by `POST /partners`. If the id belongs to a partner with another email, or the partner has another id, the reply is 409 and nothing changes.',
  role: 'member',
  body: z.object({ name, email, open_link: openLink }),
  precheck: requiredTogether('name and email are required', 'name', 'email'),
  reply: one(
    partnerRow.extend({
      is_new: z.boolean().describe('Whether the partner was added to the program.'),
      invite_url: z
        .string()
        .nullable()
        .describe(
          'Null unless the partner was added and has no account, and for one who is in other programs if the token is for one program.',
        ),
      mailed,
    }),
  ),
  statuses: [400, 401, 404, 409],
});

export const partnerChanges = {
  status: z.enum(STATUSES, { error: PARTNER_STATUS }).optional(),
  group_id: referred('group_id').describe('Null leaves the group to the tiers.'),
};

export const manageUpdatePartner = defineRoute({
  ...managed,
  id: 'manageUpdatePartner',
  proof: { none: 'It can be undone.' },
  method: 'PATCH',
  path: `${PROGRAM}/partners/:partner_id`,
  ifMatch: true,
  summary: 'Change a partner',
  description:
    'Status, group, recruiter, name or your own id. Set `active` to approve an application or to reinstate a partner. Links of a partner who is not active return 410, and their customers’ new sales earn no commission. A partner who is moved to a group stays there until `group_id` is null: then the tiers decide.',
  role: 'member',
  keepsNull: ['group_id', 'recruiter_id', 'external_id'],
  precheck: ({ status, group_id, recruiter_id, external_id, name: newName }) =>
    [status, group_id, recruiter_id, external_id, newName].every((field) => field === undefined)
      ? { message: PARTNER_STATUS, field: 'status' }
      : null,
  body: z.object({
    ...partnerChanges,
    recruiter_id: referred('recruiter_id').describe(
      'Another partner of the program, who earns where a rule of the terms pays recruiters. Null for nobody.',
    ),
    external_id: partnerExternalId.nullable().optional().describe('Your own id of the partner. Null takes it away.'),
    name: name.optional().describe('What you call the partner, in all programs of the workspace.'),
  }),
  reply: one(partnerRow),
  statuses: [400, 401, 404, 409],
});

export const manageInvitePartner = defineRoute({
  ...managed,
  id: 'manageInvitePartner',
  proof: { whenTrue: 'replace_account' },
  method: 'POST',
  path: `${PROGRAM}/partners/:partner_id/invitation`,
  summary: 'Create a new partner invitation',
  description:
    'Earlier invitation links stop working immediately. The new one works once and expires after seven days. A partner who already has an account can only be handed over to another one by an owner who sends `replace_account`: the account that has the partner keeps access until the invitation is accepted, and both are notified.',
  role: 'member',
  roleOfReply: { whenTrue: 'replaces_account', role: 'owner' },
  success: 201,
  body: z.object({
    email: email.optional().describe('Who is invited; the partner’s own address by default.'),
    open_link: openLink,
    replace_account: z
      .boolean({ error: 'replace_account must be true or false' })
      .default(false)
      .describe('Confirms that the partner, with everything that is due to them, goes to another account.'),
  }),
  reply: one(
    z.object({
      invite_url: z.string(),
      mailed,
      expires_at: z.iso.datetime(),
      email: z.string(),
      open_link: z.boolean(),
      replaces_account: z.boolean(),
      open_balances: z
        .array(z.object({ currency: z.string(), pending_cents: sumCents, payable_cents: sumCents }))
        .describe('What is due to the partner in this program, and would go to the new account.'),
    }),
  ),
  statuses: [400, 401, 403, 404, 409],
});

export const manageRevokePartnerInvitation = defineRoute({
  ...managed,
  id: 'manageRevokePartnerInvitation',
  proof: { none: 'It only ends access.' },
  method: 'DELETE',
  path: `${PROGRAM}/partners/:partner_id/invitation`,
  summary: 'Revoke a partner’s invitation',
  description: 'Its link stops working immediately. Safe to repeat.',
  role: 'member',
  reply: one(z.object({})),
  statuses: [401, 404],
});
