import { z } from 'zod';
import { errors, type FieldProblem } from '../errors/errors.ts';
import { boundedText, identifier, isStorableTime } from '../values/fields.ts';
import { MAX_REASON_CHARS } from '../values/limits.ts';

export const MANAGE = '/api/v1/manage';
export const PROGRAM = `${MANAGE}/programs/:program_id`;

/** What all routes of the management API have in common. */
export const managed = {
  auth: 'account',
  bucket: 'manage',
  fail: () => errors.internal('The request failed. Try again.'),
} as const;

/** A reply with one resource. */
export const one = <Row extends z.ZodType>(row: Row) => z.object({ data: row });

/** What every page of a list says about itself. */
export const page = { next_cursor: z.string().nullable(), limit: z.int() };

/** A reply with a page of a list. */
export const many = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), meta: z.object(page) });

const count = z.int().optional().describe('How many rows match the filters. Only with `totals=true`.');

/** A reply with a page of a list whose rows are counted on request. */
export const manyCounted = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), meta: z.object({ ...page, count }) });

/** A reply with a page of a list whose amounts are added up on request, by currency. */
export const manyWithTotals = <Row extends z.ZodType, Sums extends Record<string, z.ZodType>>(row: Row, sums: Sums) =>
  z.object({
    data: z.array(row),
    meta: z.object({
      ...page,
      count,
      totals: z
        .array(z.object({ currency: z.string(), count: z.int(), ...sums }))
        .optional()
        .describe('What these rows add up to, by currency. Only with `totals=true`.'),
    }),
  });

export const MAX_LIST = 100;
const LIMIT = `limit must be a whole number from 1 to ${MAX_LIST}`;

/** The number of rows to return. */
export const limitOf = (defaultLimit: number) =>
  z.coerce
    .number({ error: LIMIT })
    .int({ error: LIMIT })
    .min(1, { error: LIMIT })
    .max(MAX_LIST, { error: LIMIT })
    .default(defaultLimit);

/** The parameters of every list. */
export const listQuery = {
  limit: limitOf(25),
  cursor: z.string().max(1_500).optional().describe('The `next_cursor` of the previous page.'),
};

/** The order of a list: one of its fields, with `-` before it for descending order. */
export const sortBy = <const Name extends string>(names: readonly Name[], byDefault: Name | `-${Name}`) =>
  z
    .enum([...names, ...names.map((name) => `-${name}` as const)], {
      error: `sort must be one of ${names.join(', ')}, with - before it for descending order`,
    })
    // The compiler cannot tell that a default of an unknown name is one of the values.
    .default(byDefault as never)
    .describe('The order of the rows. Rows with the same value are in the order of their ids.');

const PARTNER = 'partner_id must be a whole number';
/** The partner that a change is about. */
export const partnerId = z.int({ error: PARTNER }).positive({ error: PARTNER });

/** Why a person changes something, in their own words. */
export const requiredReason = boundedText('reason', MAX_REASON_CHARS).trim().min(1, { error: 'reason is required' });

export const idFilter = (field: string) => {
  const error = `${field} must be a whole number`;
  return z.coerce.number({ error }).int({ error }).positive({ error }).optional();
};

/** A boundary of a period: a date, which means its start in UTC, or a time. */
export const boundary = (field: string) => {
  const error = `${field} must be a date or an ISO 8601 time`;
  return z
    .string({ error })
    .refine((value) => /^\d{4}-\d\d-\d\d/.test(value) && isStorableTime(new Date(value)), { error })
    .transform((value) => new Date(value));
};

export const timeFilter = (field: string) => boundary(field).optional();

/** From `from`, inclusive, to `to`, exclusive. */
export const period = { from: timeFilter('from'), to: timeFilter('to') };

/** The text of a search box; blank text does not filter. */
export const searchFilter = (what: string) =>
  identifier('q')
    .transform((value) => value.trim() || undefined)
    .optional()
    .describe(what);

export const choice = <const Values extends readonly [string, ...string[]]>(field: string, values: Values) =>
  z.enum(values, { error: `${field} must be one of ${values.join(', ')}` }).optional();

/** Yes or no: in a query, and in the filter of a body as it was there, also as text. */
export const flag = (field: string) =>
  z
    .union([z.boolean(), z.enum(['true', 'false'])], { error: `${field} must be true or false` })
    .transform((value) => String(value) === 'true')
    .optional()
    .meta({ usually: 'boolean' });

/** Whether to count all rows that match the filters, not only those of the page. */
export const totals = flag('totals').describe(
  'With `true`, `meta` also has the number of rows that match the filters and, where rows have amounts, their sums by currency.',
);

/** The filters of a list, without whose rows they are and what is searched for: both depend on the caller. */
export type FiltersOf<Filters extends z.ZodRawShape> = Omit<z.output<z.ZodObject<Filters>>, 'partner_id' | 'q'>;

const COUNT = 'count must be a whole number, 0 or more';

/** The rows that are changed together: those with these ids, or those that match the filter of their list. */
export const chosen = <Ids extends z.ZodType, Filters extends z.ZodRawShape>(ids: Ids, filters: Filters) => ({
  ids: ids.optional(),
  filter: z.object(filters, { error: 'filter must be an object with the filters of the list' }).optional(),
  count: z.int({ error: COUNT }).nonnegative({ error: COUNT }).optional(),
});

/** The same, some per request. */
export const selected = <Ids extends z.ZodType, Filters extends z.ZodRawShape>(ids: Ids, filters: Filters) => ({
  ...chosen(ids, filters),
  cursor: boundedText('cursor', 1_500).optional().describe('The `next_cursor` of the previous reply.'),
});

/** What is wrong with how rows are selected, if anything. */
export function selectionProblem(sent: Record<string, unknown>): FieldProblem | null {
  if ((sent.ids === undefined) === (sent.filter === undefined)) {
    return { message: 'Send either ids or filter', field: 'ids' };
  }
  if (sent.filter !== undefined && sent.count === undefined && !sent.cursor) {
    return { message: 'count is required with filter', field: 'count' };
  }
  return null;
}

/** Says in one message which fields are required; the error is about the first one that is missing. */
export function requiredTogether(message: string, ...names: string[]) {
  return (sent: Record<string, unknown>): FieldProblem | null => {
    const field = names.find((name) => !sent[name]);
    return field === undefined ? null : { message, field };
  };
}

/** A list that the whole team can read. */
export const listed = { ...managed, method: 'GET', role: 'viewer', statuses: [400, 401, 404] } as const;

/** A list that partners can read too; they see only their own rows. */
export const shared = { ...listed, partners: true } as const;

/** One row of such a list. */
export const sharedRow = { ...shared, statuses: [400, 401, 404] } as const;

const FORMATS = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof FORMATS)[number];

/** What a list is exported as. */
export const fileFormat = z
  .enum(FORMATS, { error: `format must be ${FORMATS.join(' or ')}` })
  .default('csv')
  .describe('`xlsx`: a workbook for Excel, where amounts are numbers with the decimals of their currency.');

/** A list as a file. */
export const fileReply = {
  reply: z.string(),
  replyType: 'text/csv',
  otherReplyTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
} as const;
