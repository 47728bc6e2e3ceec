import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { MAX_BATCH_ITEMS, MAX_LARGE_BODY_BYTES, type ReplyData, trackBatch } from '@svc/contract';
import { FAILED, wrongUsage } from '../failure.ts';
import { programKey, type Session } from '../session.ts';

type Result = ReplyData<typeof trackBatch>['results'][number];

/** What the braces and the name around the items take. */
const ENVELOPE_BYTES = 64;
/** So many refusals are printed; `--json` has all of them. */
const SHOWN = 20;

/**
 * Reports the leads, sales and refunds in a file: JSON lines, or a JSON list. Running it again is safe, because the service keeps
 * what it has answered, and knows transactions. Returns the exit code.
 */
export async function batch(session: Session, file: string): Promise<number> {
  const items = readItems(await contentsOf(session, file), file);
  const token = programKey(session);
  const results: Result[] = [];
  await session.out.withSpinner(`Reporting ${items.length} events`, async () => {
    for (const part of split(items)) {
      const body = { items: part };
      const headers = {
        'Idempotency-Key': `svc-batch-${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`,
      };
      const { data } = await session.api.call(trackBatch, { token, body, headers });
      const before = results.length;
      results.push(...data.results.map((result) => ({ ...result, index: before + result.index })));
      session.out.note(`${results.length} of ${items.length}`);
    }
  });
  const refused = results.filter(({ status }) => status >= 400 && status !== 409);
  const repeated = results.filter(({ status }) => status === 409).length;
  const lines = refused
    .slice(0, SHOWN)
    .map(({ index, status, body }) => `Event ${index + 1}: ${status} ${messageIn(body)}`);
  const more = refused.length > SHOWN ? [`… and ${refused.length - SHOWN} more. \`--json\` prints all.`] : [];
  const recorded = results.length - refused.length - repeated;
  const summary = `${recorded} recorded, ${repeated} recorded before, ${refused.length} refused.`;
  session.out.result(results, [...lines, ...more, summary]);
  return refused.length > 0 ? FAILED : 0;
}

function contentsOf({ cwd, stdin }: Session, file: string): Promise<string> {
  if (file === '-') return text(stdin as NodeJS.ReadStream);
  return readFile(resolve(cwd, file), 'utf8').catch((error: Error) => {
    throw wrongUsage(`The file cannot be read: ${error.message}`);
  });
}

/** The events in a file: a JSON list, an object with `items`, or one JSON object per line. */
function readItems(contents: string, file: string): unknown[] {
  const whole = parsed(contents);
  const { items } = (whole ?? {}) as { items?: unknown };
  const found = Array.isArray(whole) ? whole : Array.isArray(items) ? items : readLines(contents, file);
  if (found.length === 0) throw wrongUsage(`There are no events in ${file}.`);
  return found;
}

function readLines(contents: string, file: string): unknown[] {
  const lines = contents.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  return lines.flatMap(({ line, number }) => {
    if (line === '') return [];
    const event = parsed(line);
    if (typeof event === 'object' && event !== null) return [event];
    throw wrongUsage(
      `Line ${number} of ${file} is not a JSON object.`,
      'A file has one event per line, such as {"type":"sale","transaction_id":"order_1","customer_key":"user_1","amount_cents":4900}, or a JSON list.',
    );
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The events in parts that the service accepts, in order. */
function split(items: unknown[]): unknown[][] {
  const parts: unknown[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    const last = parts.at(-1);
    if (last && last.length < MAX_BATCH_ITEMS && bytes + size <= MAX_LARGE_BODY_BYTES - ENVELOPE_BYTES) {
      last.push(item);
      bytes += size;
    } else {
      parts.push([item]);
      bytes = size;
    }
  }
  return parts;
}

function messageIn(body: Record<string, unknown>): string {
  return (body.error as { message?: string } | undefined)?.message ?? '';
}
