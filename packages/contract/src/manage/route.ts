import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { identifier, isStorableTime } from '../values/fields.ts';

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

/** A reply with a page of a list. */
export const many = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), meta: z.object({ next_cursor: z.string().nullable(), limit: z.int() }) });

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
  cursor: z.string().max(255).optional().describe('The `next_cursor` of the previous page.'),
};

export const idFilter = (field: string) => {
  const error = `${field} must be a whole number`;
  return z.coerce.number({ error }).int({ error }).positive({ error }).optional();
};

/** A time, or a date, which means its start in UTC. */
export const timeFilter = (field: string) =>
  z
    .string()
    .refine((value) => /^\d{4}-\d\d-\d\d/.test(value) && isStorableTime(new Date(value)), {
      error: `${field} must be a date or an ISO 8601 time`,
    })
    .transform((value) => new Date(value))
    .optional();

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

export const flag = (field: string) =>
  z
    .enum(['true', 'false'], { error: `${field} must be true or false` })
    .transform((value) => value === 'true')
    .optional();

/** A list that partners can read too; they see only their own rows. */
export const listed = { ...managed, method: 'GET', role: 'partner', statuses: [400, 401, 404] } as const;
