import { CLICK_COLUMNS, listClicksOfMonth, sumClicksOfMonth } from '../clicks/click-month-store.ts';
import { retireClickMonth } from '../clicks/click-partition-store.ts';
import type { Context } from '../context.ts';
import type { Rest } from '../db/rest.ts';
import { retryWhileLocked } from '../db/retry-on-conflict.ts';
import type { ArchivePlace } from './archive-place.ts';
import { countErasures, insertRetiredMonth } from './archive-store.ts';
import { type ArchivedFile, writeArchivedFile } from './archived-file.ts';

/** Small enough that other requests hardly notice a group, and that a customer's clicks are found by reading little. */
const ROWS_PER_GROUP = 5_000;
const GROUPS_PER_FILE = 20;

/**
 * Moves a month of clicks into files of the archive. The month leaves the store in the transaction that notes the files, once
 * everything was read back and nothing of the month has changed since. An interrupted archive starts over, and only its own files
 * remain.
 */
export async function archiveMonth(
  ctx: Context,
  place: ArchivePlace,
  month: string,
  rest: Rest,
): Promise<{ rows: number; bytes: number }> {
  const erasures = await countErasures(ctx.db);
  const files: ArchivedFile[] = [];
  const reader = readMonth(ctx, month);
  for (;;) {
    const about = { folder: folderOf(month), name: nameOf(month, files.length + 1), columns: [...CLICK_COLUMNS] };
    const file = await writeArchivedFile(place, about, take(reader, GROUPS_PER_FILE), rest);
    if (!file) break;
    files.push(file);
  }
  await place.write(`${folderOf(month)}/_manifest.json`, manifestOf(month, files, ctx.now()));
  await removeLeftovers(place, month, files.length);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const ids = files.reduce((sum, file) => sum + BigInt(file.sum_of_ids), 0n).toString();
  const retire = () =>
    ctx.db.transaction(async (tx) => {
      await retireClickMonth(tx, month, 'drop', async () => {
        const stored = await sumClicksOfMonth(tx, month);
        const isSame = stored.rows === rows && stored.ids === ids && (await countErasures(tx)) === erasures;
        if (!isSame)
          throw new Error(`Clicks of ${month} changed while they were archived; the next run archives them again`);
      });
      await insertRetiredMonth(tx, { month, files }, ctx.now());
    });
  await retryWhileLocked(retire, rest);
  return { rows, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
}

/**
 * Removes files of an earlier attempt, which were more if clicks have left the store since. The last goes first, so that none is
 * left behind one that is gone.
 */
async function removeLeftovers(place: ArchivePlace, month: string, written: number): Promise<void> {
  const pathOf = (number: number) => `${folderOf(month)}/${nameOf(month, number)}`;
  let last = written;
  while (await place.has(pathOf(last + 1))) last += 1;
  for (let number = last; number > written; number -= 1) await place.remove(pathOf(number));
}

const nameOf = (month: string, number: number) => `clicks-${month}-${String(number).padStart(4, '0')}.parquet`;

export const folderOf = (month: string) => `clicks/${month}`;

async function* readMonth({ db }: Context, month: string) {
  let after = { customerId: 0, id: 0 };
  for (;;) {
    const rows = await listClicksOfMonth(db, month, after, ROWS_PER_GROUP);
    const last = rows.at(-1);
    if (!last) return;
    after = { customerId: last.customer_id, id: last.id };
    yield rows;
  }
}

/** The next `count` values, without ending the iterator. */
async function* take<Value>(iterator: AsyncIterator<Value>, count: number): AsyncGenerator<Value> {
  for (let taken = 0; taken < count; taken += 1) {
    const next = await iterator.next();
    if (next.done) return;
    yield next.value;
  }
}

/** For people and programs that read the files without the service. */
export function manifestOf(month: string, files: ArchivedFile[], now: Date): Uint8Array {
  const manifest = {
    format: 1,
    table: 'clicks',
    month,
    written_at: now.toISOString(),
    columns: CLICK_COLUMNS,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    sum_of_ids: files.reduce((sum, file) => sum + BigInt(file.sum_of_ids), 0n).toString(),
    files,
  };
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}
