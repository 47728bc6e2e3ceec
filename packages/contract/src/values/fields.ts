import { z } from 'zod';
import { isCurrency } from './currencies.ts';
import { MAX_COUPON_CHARS, MAX_IDENTIFIER_CHARS, MAX_JSON_DEPTH, MAX_TEXT_CHARS, MAX_URL_CHARS } from './limits.ts';

/** Whether Postgres can store the text: no NUL and no lone surrogate. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether the time, in UTC, has a year of four digits after the first one, as ISO 8601 and every database can write it. */
export function isStorableTime(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** Text with a maximum length that the database can store. */
export function boundedText(field: string, maxChars: number) {
  return z
    .string({ error: `${field} must be a string` })
    .max(maxChars, { error: `${field} must be at most ${maxChars} characters` })
    .refine(isStorable, { error: `${field} contains characters that cannot be stored` });
}

/** A refused value as messages repeat it; lists and objects are only named. */
export function asSent(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 100);
}

export const text = (field: string) => boundedText(field, MAX_TEXT_CHARS);
export const urlText = (field: string) => boundedText(field, MAX_URL_CHARS);
export const identifier = (field: string) => boundedText(field, MAX_IDENTIFIER_CHARS);

/** What starts another line, or turns the direction of the text around it. */
const NOT_OF_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** What programs turn into a link. The bare name of a site is not among it, because brands are called like their sites. */
const WEB_ADDRESS = /:\/\/|\bwww\.|\.\p{L}{2,}\/\S/iu;

/** A name that strangers read, in mails too, so it is one line and brings no links along. */
export const readByOthers = (name: z.ZodString, field = 'name') =>
  name
    .refine((value) => !NOT_OF_ONE_LINE.test(value), { error: `${field} must be one line without control characters` })
    .refine((value) => !WEB_ADDRESS.test(value), { error: `${field} must not contain a web address` });

/** A text of several lines that strangers read in mails: it brings no links along. */
export const withoutWebAddress = (field: string, text: z.ZodString) =>
  text.refine((value) => !WEB_ADDRESS.test(value), { error: `${field} must not contain a web address` });

/** The name of a person or a workspace, without surrounding spaces. */
export const personName = readByOthers(identifier('name').trim().min(1, { error: 'name must not be empty' }));

/** An identifier; the empty string means absent. */
export const optionalIdentifier = (field: string) =>
  identifier(field)
    .transform((value) => (value === '' ? undefined : value))
    .optional();

/** An e-mail address as it was typed; blank means absent. */
export const optionalEmail = text('email')
  .transform((value) => (value.trim() === '' ? undefined : value))
  .optional();

/** The caller's own id for a user; integers become their decimal string. */
export const customerKey = z
  .union([z.int().transform(String), optionalIdentifier('customer_key')], {
    error: (issue) => firstUnionMessage(issue, 'customer_key must be a string'),
  })
  .optional()
  .meta({ usually: 'string' });

/** A coupon code as it was typed; blank means absent. */
export const couponCode = boundedText('coupon_code', MAX_COUPON_CHARS)
  .transform((value) => value.trim() || undefined)
  .optional();

/** A field with a single message for everything that can be wrong with it. */
export const transactionId = (message: string) =>
  z
    .string({ error: message })
    .max(MAX_IDENTIFIER_CHARS, { error: message })
    .refine((value) => value.trim() !== '' && isStorable(value), { error: message });

export const amountCents = (message: string) => z.int({ error: message }).positive({ error: message });

/** A part of an amount, such as its tax. */
export const partCents = (field: string) => {
  const error = `${field} must be a whole number of cents, 0 or more`;
  return z.int({ error }).nonnegative({ error }).optional();
};

/** A sum of amounts in a reply. It is a whole number of any size; callers get it as a number. */
export const sumCents = z.union([z.int(), z.bigint()]).transform(Number).meta({ type: 'integer' });

export const currency = z
  .string({ error: 'currency must be an ISO 4217 code' })
  .transform((code) => code.toUpperCase())
  .refine(isCurrency, { error: 'currency must be an ISO 4217 code' });

const PROGRAM_REFERENCE = { anyOf: [{ type: 'integer' }, { type: 'string' }], usually: 'integer' };

/** A program id as a number or its decimal string; anything else counts as absent. */
export const programReference = z.unknown().transform(readProgramReference).optional().meta(PROGRAM_REFERENCE);

/** The id of a program in a field that may hold anything; undefined if it holds none. */
export function readProgramReference(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 && String(value) === String(id) ? id : undefined;
}

export const jsonObject = (field: string) =>
  z
    .record(z.string(), z.unknown(), { error: `${field} must be an object` })
    .superRefine((value, check) => refuseUnstorableJson(value, field, check));

export const jsonArray = (field: string) =>
  z
    .array(z.unknown(), { error: `${field} must be an array` })
    .superRefine((value, check) => refuseUnstorableJson(value, field, check));

const MAX_ADDITIONAL_DATA_BYTES = 4_096;

/** Free-form data of the caller; `test_mode: true` makes the event a test. */
export const additionalData = jsonObject('additional_data')
  .refine((value) => isTooDeep(value) || jsonBytes(value) <= MAX_ADDITIONAL_DATA_BYTES, {
    error: `additional_data must be at most ${MAX_ADDITIONAL_DATA_BYTES / 1024} KiB`,
  })
  .meta({
    properties: {
      test_mode: { type: 'boolean', description: 'With `true`, the event is a test and counts nowhere.' },
      program_id: PROGRAM_REFERENCE,
    },
  })
  .optional();

function isTooDeep(value: unknown): boolean {
  return unstorablePart(value, MAX_JSON_DEPTH) === 'depth';
}

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function refuseUnstorableJson(value: unknown, field: string, check: { addIssue(message: string): void }): void {
  const problem = unstorablePart(value, MAX_JSON_DEPTH);
  if (problem === 'depth') check.addIssue(`${field} must be nested at most ${MAX_JSON_DEPTH} levels deep`);
  if (problem === 'text') check.addIssue(`${field} contains characters that cannot be stored`);
}

function unstorablePart(value: unknown, levelsLeft: number): 'depth' | 'text' | null {
  if (typeof value === 'string') return isStorable(value) ? null : 'text';
  if (typeof value !== 'object' || value === null) return null;
  if (levelsLeft === 0) return 'depth';
  for (const [key, part] of Object.entries(value)) {
    if (!isStorable(key)) return 'text';
    const problem = unstorablePart(part, levelsLeft - 1);
    if (problem) return problem;
  }
  return null;
}

type UnionIssue = { code?: string; errors?: { message: string }[][]; input?: unknown };

function firstUnionMessage(issue: UnionIssue, otherwise: string): string {
  return typeof issue.input === 'string' ? (issue.errors?.at(-1)?.[0]?.message ?? otherwise) : otherwise;
}
