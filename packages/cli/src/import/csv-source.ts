import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isCurrency } from '@svc/contract';
import { type CsvError, parse } from 'csv-parse';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { Failure } from '../failure.ts';
import { addEarning, type EarningState, emptyReading, type Reading, stripeId } from './reading.ts';

const MAX_MAPPING_BYTES = 100 * 1024;
const MAX_FILE_BYTES = 200 * 1024 * 1024;
const MAX_RECORD_BYTES = 64 * 1024;
const MAX_ROWS = 2_000_000;

/** A column by its title, several that are joined with a space, or text that is the same for every row, after an equals sign. */
const column = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);
const optional = column.optional();
const states = z.record(z.string(), z.enum(['pending', 'approved', 'paid']));

const mapping = z.strictObject({
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/)
    .default('csv'),
  amounts: z.enum(['cents', 'units']).default('units'),
  currency: z.string().refine(isCurrency, { error: 'must be a currency, such as USD' }).optional(),
  delimiter: z.string().length(1).default(','),
  partners: z.strictObject({ file: z.string(), id: optional, email: column, name: optional }),
  links: z
    .strictObject({ file: z.string(), partner: column, code: column, parameter: column, address: optional })
    .optional(),
  coupons: z.strictObject({ file: z.string(), partner: column, code: column }).optional(),
  customers: z
    .strictObject({
      file: z.string(),
      partner: column,
      id: column,
      processor_id: optional,
      email: optional,
      first_seen_at: optional,
    })
    .optional(),
  commissions: z
    .strictObject({
      file: z.string(),
      partner: column,
      id: optional,
      amount: column,
      currency: optional,
      status: column,
      states,
    })
    .optional(),
});

export type Mapping = z.infer<typeof mapping>;
type Column = z.infer<typeof column>;

/** Reads the file that says which columns mean what. */
export async function readMapping(cwd: string, path: string): Promise<Mapping> {
  const file = resolve(cwd, path);
  const { size } = await stat(file).catch(() => {
    throw new Failure(`Cannot read ${path}.`);
  });
  if (size > MAX_MAPPING_BYTES) throw new Failure(`${path} is larger than 100 KB.`, { code: 'file_too_large' });
  const { data, error } = mapping.safeParse(yamlIn(path, await readFile(file, 'utf8')));
  if (data) return data;
  const [issue] = error.issues;
  throw new Failure(`${path}: ${issue?.path.join('.') || 'mapping'}: ${issue?.message}`, {
    code: 'invalid_mapping',
    hint: 'docs/moving-in.md has an example.',
  });
}

function yamlIn(path: string, text: string): unknown {
  try {
    return parseYaml(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new Failure(`${path} is not valid YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Reads the files that a mapping names. A row that cannot be read is left out with its line; the others go on. */
export async function readCsvFiles(cwd: string, path: string, found: Mapping, currency: string): Promise<Reading> {
  const reading = emptyReading();
  const folder = dirname(resolve(cwd, path));
  const { partners, links, coupons, customers, commissions } = found;
  const read = (file: string, columns: (Column | undefined)[], take: Take) =>
    readRows({ path: join(folder, file), file, delimiter: found.delimiter }, columns, take, reading);
  const byEmail = new Map<string, string>();
  await read(partners.file, [partners.id, partners.email, partners.name], (value) => {
    const email = value.required(partners.email);
    const id = value.of(partners.id) || email;
    byEmail.set(email.toLowerCase(), id);
    reading.partners.push({ id, email, name: value.of(partners.name) || email });
  });
  // Other files can name a partner by their id or by their email address.
  const owner = (text: string) => byEmail.get(text.toLowerCase()) ?? text;
  if (links) {
    await read(links.file, [links.partner, links.code, links.parameter, links.address], (value) => {
      const [code, parameter] = [value.required(links.code), value.required(links.parameter)];
      const partnerId = owner(value.required(links.partner));
      reading.links.push({ partnerId, code, parameter, address: value.of(links.address) || undefined });
    });
  }
  if (coupons) {
    await read(coupons.file, [coupons.partner, coupons.code], (value) => {
      reading.coupons.push({ partnerId: owner(value.required(coupons.partner)), code: value.required(coupons.code) });
    });
  }
  if (customers) {
    const { partner, id, processor_id: processor, email, first_seen_at: seen } = customers;
    await read(customers.file, [partner, id, processor, email, seen], (value) => {
      const own = value.required(id);
      reading.customers.push({
        partnerId: owner(value.of(partner)) || null,
        id: own,
        processorId: value.of(processor) || stripeId(own),
        email: value.of(email) || undefined,
        firstSeenAt: timeOf(value.of(seen)),
      });
    });
  }
  if (commissions) await readCommissions(reading, found, commissions, currency, owner, read);
  return reading;
}

type Read = (file: string, columns: (Column | undefined)[], take: Take) => Promise<void>;

async function readCommissions(
  reading: Reading,
  { amounts, currency: usual }: Mapping,
  columns: NonNullable<Mapping['commissions']>,
  programCurrency: string,
  owner: (text: string) => string,
  read: Read,
): Promise<void> {
  const { file, partner, id, amount, currency, status, states: named } = columns;
  const byStatus = new Map(Object.entries(named).map(([name, state]) => [name.toLowerCase(), state as EarningState]));
  await read(file, [partner, id, amount, currency, status], (value) => {
    const told = value.required(status);
    const commission = {
      id: value.of(id) || value.place,
      partnerId: owner(value.of(partner)) || null,
      amount: value.required(amount),
      currency: value.of(currency) || usual || programCurrency,
      status: told,
    };
    addEarning(reading, commission, byStatus.get(told.toLowerCase()), amounts === 'cents' ? 'smallest' : 'whole');
  });
}

type Values = { place: string; of: (column: Column | undefined) => string; required: (column: Column) => string };
type Take = (values: Values) => void;
type Source = { path: string; file: string; delimiter: string };

async function readRows(
  source: Source,
  columns: (Column | undefined)[],
  take: Take,
  { leftOut }: Reading,
): Promise<void> {
  const { path, file, delimiter } = source;
  const { size } = await stat(path).catch(() => {
    throw new Failure(`Cannot read ${file}.`);
  });
  if (size > MAX_FILE_BYTES) throw new Failure(`${file} is larger than 200 MB.`, { code: 'file_too_large' });
  // A file can be read for partners and again for their links.
  const known = new Set(leftOut.map(({ id, reason }) => `${id} ${reason}`));
  const refuse = (line: number, reason: string) => {
    const id = `${file}:${line}`;
    if (!known.has(`${id} ${reason}`)) leftOut.push({ kind: 'row', id, reason });
  };
  const parser = createReadStream(path).pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      trim: true,
      columns: (titles: string[]) => requireColumns(file, titles, columns),
      skip_empty_lines: true,
      skip_records_with_error: true,
      max_record_size: MAX_RECORD_BYTES,
      on_skip: (error: CsvError | undefined) => void refuse(Number(error?.lines ?? 0), wordsFor(error)),
    }),
  );
  let rows = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>) {
      rows += 1;
      if (rows > MAX_ROWS) throw new Failure(`${file} has more than ${MAX_ROWS.toLocaleString('en')} rows.`);
      const reason = problemWith(record, `${file}:${info.lines}`, take);
      if (reason) refuse(info.lines, reason);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    // A quote that is not closed runs to the end of the file.
    refuse(Number((error as CsvError).lines ?? 0), wordsFor(error as CsvError));
  }
}

/** Hands a row over; returns why it cannot be read. */
function problemWith(record: Record<string, string>, place: string, take: Take): string | undefined {
  const cell = (name: string) => (name.startsWith('=') ? name.slice(1) : (record[name] ?? ''));
  const of = (found: Column | undefined) => [found ?? []].flat().map(cell).join(' ').trim();
  const required = (found: Column) => {
    const text = of(found);
    if (text) return text;
    throw new EmptyCell(`${[found].flat().join(' ')} is empty`);
  };
  try {
    take({ place, of, required });
    return undefined;
  } catch (error) {
    if (error instanceof EmptyCell) return error.message;
    throw error;
  }
}

class EmptyCell extends Error {}

function requireColumns(file: string, titles: string[], columns: (Column | undefined)[]): string[] {
  const names = columns.flatMap((each) => each ?? []).filter((name) => !name.startsWith('='));
  const missing = names.find((name) => !titles.includes(name));
  if (missing === undefined) return titles;
  throw new Failure(`${file} has no column "${missing}". It has ${titles.map((title) => `"${title}"`).join(', ')}.`, {
    code: 'unknown_column',
  });
}

function wordsFor(error: CsvError | undefined): string {
  return error?.message.split('\n')[0] ?? 'it cannot be read';
}

/** A time with its zone; a day without a time begins in UTC. */
function timeOf(text: string): string | undefined {
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined;
}
