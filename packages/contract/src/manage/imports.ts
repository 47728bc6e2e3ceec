import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { couponCode } from '../values/coupon-code.ts';
import { boundedText, currency, identifier, isStorableTime, readByOthers, text } from '../values/fields.ts';
import { MAX_IDENTIFIER_CHARS, MAX_LARGE_BODY_BYTES } from '../values/limits.ts';
import { MAX_COUPONS } from './partners/coupons.ts';
import { destinationUrl, shortLink } from './partners/links.ts';
import { idFilter, listQuery, managed, many, one, PROGRAM, shared } from './route.ts';
import { email } from './team/invitations.ts';

const IMPORTS = `${PROGRAM}/imports`;
const IMPORT = `${IMPORTS}/:import_id`;
const id = z.int();
const time = z.iso.datetime();

/** Limits of one request. What one partner has beyond them goes into more rows with the same email address. */
export const MAX_IMPORT_ROWS = 500;
export const MAX_ROW_LINKS = 50;
export const MAX_ROW_CUSTOMERS = 500;
export const MAX_ROW_BALANCES = 20;
/** Links, coupons, customers and balances of all rows of a request together, so that its transaction is short. */
export const MAX_IMPORT_PARTS = 10_000;
/** Of one opening balance, in the smallest unit of its currency. */
export const MAX_OPENING_CENTS = 1_000_000_000_000;

const PARAMETER = 'parameter must be 1 to 32 letters, digits, hyphens or underscores';
const TIME = 'first_seen_at must be an ISO 8601 time with a time zone';
const BALANCE_CENTS = (field: string) => `${field} must be a whole number from 0 to ${MAX_OPENING_CENTS}`;

const listOf = <Item extends z.ZodType>(field: string, item: Item, max: number) => {
  const error = `${field} must be a list of at most ${max}`;
  return z.array(item, { error }).max(max, { error }).default([]);
};

const required = (field: string) => {
  const error = `${field} is required`;
  return z.union([z.int().transform(String), z.string()], { error }).pipe(identifier(field).trim().min(1, { error }));
};

const cents = (field: string) => {
  const error = BALANCE_CENTS(field);
  return z.int({ error }).min(0, { error }).max(MAX_OPENING_CENTS, { error }).default(0);
};

const object = <Shape extends z.ZodRawShape>(name: string, shape: Shape) =>
  z.object(shape, { error: `${name} must be an object` });

const rowFields = object('row', {
  partner: object('partner', {
    email: z
      .string({ error: 'email is required' })
      .trim()
      .pipe(email.max(MAX_IDENTIFIER_CHARS, { error: `email must be at most ${MAX_IDENTIFIER_CHARS} characters` })),
    name: z
      .string({ error: 'name is required' })
      .trim()
      .pipe(readByOthers(identifier('name').min(1, { error: 'name is required' }))),
    external_id: required('external_id').optional(),
  }),
  links: listOf(
    'links',
    object('link', {
      parameter: z.string({ error: PARAMETER }).regex(/^[\w-]{1,32}$/, { error: PARAMETER }),
      code: z.string({ error: 'code is required' }).trim().pipe(shortLink('code')),
      destination_url: destinationUrl.optional(),
    }),
    MAX_ROW_LINKS,
  ),
  coupons: listOf('coupons', couponCode, MAX_COUPONS),
  customers: listOf(
    'customers',
    object('customer', {
      external_id: required('external_id'),
      processor_customer_id: required('processor_customer_id').optional(),
      email: text('email')
        .trim()
        .regex(/^[^@\s]+@[^@\s]+$/, { error: 'email must be an email address' })
        .optional(),
      first_seen_at: z.iso
        .datetime({ offset: true, error: TIME })
        .pipe(z.string().refine((value) => isStorableTime(new Date(value)), { error: TIME }))
        .transform((value) => new Date(value))
        .optional(),
    }),
    MAX_ROW_CUSTOMERS,
  ),
  balances: listOf(
    'balances',
    object('balance', {
      currency,
      pending_cents: cents('pending_cents'),
      approved_cents: cents('approved_cents'),
      paid_cents: cents('paid_cents'),
    }),
    MAX_ROW_BALANCES,
  ),
});

/** A row nests three levels deep: row, list, item. */
function withoutNulls(value: unknown, levels = 4): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, levels - 1));
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(present.map(([name, field]) => [name, withoutNulls(field, levels - 1)]));
}

/**
 * One row of an import. A row that does not fit is refused by itself, with a message for each field that is wrong; `null` is the
 * same as a field that is left out.
 */
export const importedPartner = z.preprocess((row) => withoutNulls(row), rowFields);
export type ImportedPartner = z.output<typeof importedPartner>;

/** What became of a row or of a part of it, or would become of it in a dry run. */
export const IMPORT_OUTCOMES = {
  created: 'New',
  merged: 'Added to what the program has already',
  unchanged: 'Imported before: nothing changes',
  refused: 'Not imported; the message says why',
} as const;
export type ImportOutcome = keyof typeof IMPORT_OUTCOMES;

const outcome = z.enum(Object.keys(IMPORT_OUTCOMES) as ImportOutcome[]);
const message = z.string().nullable().describe('Why it was refused, or what else is worth knowing.');

const rowResult = z.object({
  row: z.int().describe('The position in the request, from 0.'),
  outcome: outcome.describe(
    '`created`: a new partner. `merged`: the partner was there already, and is part of the import now, or has gained something. `unchanged`: everything was imported before. `refused`: nothing of the row was imported.',
  ),
  partner_id: id.nullable().describe('Null if the row was refused, and for new partners of a dry run.'),
  messages: z
    .array(z.object({ field: z.string().nullable(), message: z.string() }))
    .describe('What is wrong with the row, by field such as `links[0].code`, or a note about the whole row.'),
  links: z.array(
    z.object({
      code: z.string(),
      outcome,
      link_id: id.nullable(),
      short_link: z.string().nullable().describe('The short link of the link that the code leads to.'),
      alias: z.boolean().describe('The code is taken elsewhere. It leads to this link only on sites of this program.'),
      message,
    }),
  ),
  coupons: z.array(z.object({ code: z.string(), outcome, coupon_id: id.nullable(), message })),
  customers: z.array(z.object({ external_id: z.string(), outcome, customer_id: id.nullable(), message })),
  balances: z.array(
    z.object({
      currency: z.string(),
      outcome,
      commission_id: id.nullable().describe('The adjustment that made the approved part payable.'),
      message,
    }),
  ),
});
export type ImportRowResult = z.input<typeof rowResult>;

const counts = z.object({
  partners: z.int(),
  links: z.int(),
  coupons: z.int(),
  customers: z.int(),
  balances: z.int(),
});
export type ImportCounts = z.input<typeof counts>;

export const IMPORT_STATUSES = ['open', 'undoing', 'undone'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const IMPORTED_KINDS = ['partner', 'link', 'coupon', 'customer', 'balance'] as const;
export type ImportedKind = (typeof IMPORTED_KINDS)[number];

/** Why undoing an import keeps something. */
export const KEPT_REASONS = {
  was_there: 'It was there before the import.',
  clicks: 'It has had clicks.',
  signup: 'The customer has signed up.',
  customers: 'It has customers.',
  sales: 'It has had sales.',
  commissions: 'It has commissions.',
  payouts: 'It has been in a payout.',
  books: 'The books have entries about it.',
  account: 'The partner has an account.',
  invited: 'The partner has been invited.',
  changed: 'It has been changed since.',
  in_use: 'Something else of the partner is kept, or the partner is in another program too.',
} as const;
export type KeptReason = keyof typeof KEPT_REASONS;

export const importRow = z.object({
  id,
  source: z.string(),
  status: z
    .enum(IMPORT_STATUSES)
    .describe('`open`: more rows of this source are added to it. `undoing`: undo it again to go on where it stopped.'),
  created: counts.describe('What it has created and still stands.'),
  merged: counts.describe('What was there before and is part of it.'),
  created_by: z.string().nullable().describe('Who sent the first rows.'),
  created_at: time,
  updated_at: time.describe('When it last changed something.'),
  undone_at: time.nullable(),
});
z.globalRegistry.add(importRow, { id: 'Import' });
export type ImportRow = z.input<typeof importRow>;

const kept = z
  .array(
    z.object({
      kind: z.enum(IMPORTED_KINDS),
      reason: z.enum(Object.keys(KEPT_REASONS) as KeptReason[]),
      count: z.int(),
    }),
  )
  .describe('What undoing it has kept, and why. Empty unless it was undone.');

const importDetails = importRow.extend({
  removed: counts.describe('What undoing it has removed.'),
  kept,
});
export type ImportDetails = z.input<typeof importDetails>;

export const manageImports = defineRoute({
  ...managed,
  id: 'manageImports',
  method: 'GET',
  path: IMPORTS,
  summary: 'List imports',
  description: 'Newest first.',
  role: 'viewer',
  query: z.object(listQuery),
  reply: many(importRow),
  statuses: [400, 401, 404],
});

// Rows are checked one by one, so the schema of the body does not know them.
const { $schema: _, ...ROW_SCHEMA } = z.toJSONSchema(rowFields, { io: 'input', unrepresentable: 'any' });

const ROWS = `rows must be a list of 1 to ${MAX_IMPORT_ROWS} objects`;
const PARTS = `rows must have at most ${MAX_IMPORT_PARTS} links, coupons, customers and balances together`;
const SOURCE = 'source must be 1 to 32 lower-case letters, digits, hyphens or underscores';

/** How many things rows have, whether they can be read or not. */
function countParts(rows: unknown[]): number {
  const lists = rows.flatMap((row) => {
    const { links, coupons, customers, balances } = (row ?? {}) as Record<string, unknown>;
    return [links, coupons, customers, balances];
  });
  return lists.reduce<number>((count, list) => count + (Array.isArray(list) ? list.length : 0), 0);
}

export const manageImport = defineRoute({
  ...managed,
  id: 'manageImport',
  proof: { whenTrue: 'pay_approved' },
  method: 'POST',
  path: IMPORTS,
  summary: 'Import partners from another tool',
  description:
    `Up to ${MAX_IMPORT_ROWS} rows per request, in one transaction. Rows of the same \`source\` belong to one import until it is ` +
    'undone, so an interrupted import goes on where it stopped: send the rows again. What is there already is left as it is. ' +
    'Each row has its own outcome, and a bad one harms no other. Nobody is mailed. Customers are credited to the partner from ' +
    'their next payment on, without a click, unless they already belong to another partner. A code that another program uses becomes ' +
    'an alias, which works on the sites of this program. Balances are shown, and are not paid, unless `pay_approved` is true: ' +
    'then the approved part is paid once for each partner and currency, whatever is sent again. With `dry_run`, nothing ' +
    'changes and the outcomes say what would happen.',
  role: 'member',
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  body: z.object({
    source: boundedText('source', 32)
      .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, { error: SOURCE })
      .describe('The tool that the rows come from, such as `rewardful`.'),
    rows: z
      .array(z.unknown(), { error: ROWS })
      .min(1, { error: ROWS })
      .max(MAX_IMPORT_ROWS, { error: ROWS })
      .refine((rows) => countParts(rows) <= MAX_IMPORT_PARTS, { error: PARTS })
      .meta({ items: ROW_SCHEMA }),
    pay_approved: z
      .boolean({ error: 'pay_approved must be true or false' })
      .default(false)
      .describe('Makes the approved part of the balances of these rows payable.'),
    dry_run: z.boolean({ error: 'dry_run must be true or false' }).default(false),
  }),
  example: {
    source: 'rewardful',
    rows: [
      {
        partner: { email: 'jane@example.com', name: 'Jane Doe', external_id: 'd0e4a1f0' },
        links: [{ parameter: 'via', code: 'jane' }],
        customers: [{ external_id: 'user_42', processor_customer_id: 'cus_9s6XKzkNRiz8i3' }],
        balances: [{ currency: 'USD', pending_cents: 1200, approved_cents: 5000, paid_cents: 90000 }],
      },
    ],
    dry_run: true,
  },
  reply: one(
    z.object({
      import: importRow.nullable().describe('Null in a dry run of a source that has no import.'),
      dry_run: z.boolean(),
      rows: z.array(rowResult),
    }),
  ),
  statuses: [400, 401, 404, 409],
});

export const manageImportDetails = defineRoute({
  ...managed,
  id: 'manageImportDetails',
  method: 'GET',
  path: IMPORT,
  summary: 'Get an import',
  description: 'With what undoing it has removed and kept.',
  role: 'viewer',
  reply: one(importDetails),
  statuses: [401, 404],
});

export const manageUndoImport = defineRoute({
  ...managed,
  id: 'manageUndoImport',
  proof: 'recent',
  method: 'POST',
  path: `${IMPORT}/undo`,
  summary: 'Undo an import',
  description:
    'Removes what the import created and what nothing has happened to since: partners, links, coupons, customers and opening ' +
    'balances, and adjustments that were not paid yet. Everything else is kept, and `kept` says why. A large import takes more ' +
    'than one request: while `status` is `undoing`, send it again. Safe to repeat. Rows that are sent afterwards start a new import.',
  role: 'member',
  reply: one(importDetails),
  statuses: [401, 404],
});

const openingBalance = z.object({
  source: z.string().describe('The tool that it comes from.'),
  partner_id: id,
  currency: z.string(),
  pending_cents: z.int(),
  approved_cents: z.int(),
  paid_cents: z.int(),
  commission_id: id.nullable().describe('The adjustment that made `approved_cents` payable. Null if nothing of it is.'),
  created_at: time,
});
export type OpeningBalance = z.input<typeof openingBalance>;

export const manageOpeningBalances = defineRoute({
  ...shared,
  id: 'manageOpeningBalances',
  path: `${PROGRAM}/opening-balances`,
  summary: 'List opening balances',
  description:
    'What another tool said that it owed and had paid when the partner was imported, newest first. They are for reading: ' +
    'nothing of them is paid here, unless `commission_id` names the adjustment that does. Partners see only their own.',
  query: z.object({ ...listQuery, partner_id: idFilter('partner_id') }),
  reply: many(openingBalance),
});
