import { CLICK_COLUMNS, type StoredClick } from '../clicks/click-month-store.ts';
import type { Context } from '../context.ts';
import { ERASURE } from '../db/schema/erasure.ts';
import { folderOf, manifestOf } from './archive-month.ts';
import { ArchiveError, type ArchivePlace } from './archive-place.ts';
import {
  deleteArchivedErasures,
  findArchivedMonth,
  listArchivedErasures,
  updateArchivedFiles,
} from './archive-store.ts';
import { type ArchivedFile, openArchivedFile, writeArchivedFile } from './archived-file.ts';
import { readRows } from './parquet.ts';

const CLEARED = (ERASURE.clicks?.cleared ?? '').split(' ');

/** Clears what archived clicks say about people who were erased, by writing their files again. Returns how many files it wrote. */
export async function eraseArchivedClicks(
  ctx: Context,
  place: ArchivePlace,
  rest: () => Promise<void>,
): Promise<number> {
  let written = 0;
  for (const { month, customerIds } of await listArchivedErasures(ctx.db)) {
    try {
      written += await eraseInMonth(ctx, place, month, customerIds, rest);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      ctx.log.error(
        { err: error, month },
        'Erased people could not be cleared in a month of the archive; it is tried again',
      );
    }
  }
  return written;
}

async function eraseInMonth(
  ctx: Context,
  place: ArchivePlace,
  month: string,
  customerIds: number[],
  rest: () => Promise<void>,
): Promise<number> {
  const noted = (await findArchivedMonth(ctx.db, month)) ?? [];
  const files = await presentFiles(place, month, noted);
  const erased = new Set(customerIds);
  let written = 0;
  for (const [index, file] of files.entries()) {
    const isConcerned = customerIds.some((id) => file.first_customer_id <= id && id <= file.last_customer_id);
    if (!isConcerned) continue;
    files[index] = await rewrite(place, month, file, erased, rest);
    written += 1;
  }
  await updateArchivedFiles(ctx.db, month, files);
  await place.write(`${folderOf(month)}/_manifest.json`, manifestOf(month, files, ctx.now()));
  for (const { name } of files)
    for (const earlier of earlierNames(name)) await place.remove(`${folderOf(month)}/${earlier}`);
  // Only now is nothing left of them. After an interruption, all of this is done again.
  await deleteArchivedErasures(ctx.db, month, customerIds);
  return written;
}

/**
 * The files of a month that are there. A store that was restored from a backup may know those of before an erasure; the manifest
 * beside the files names the ones that took their place.
 */
export async function presentFiles(place: ArchivePlace, month: string, noted: ArchivedFile[]): Promise<ArchivedFile[]> {
  const manifest = Buffer.from(await place.read(`${folderOf(month)}/_manifest.json`)).toString();
  const { files } = JSON.parse(manifest) as { files: ArchivedFile[] };
  return files.length === noted.length ? files : noted;
}

async function rewrite(
  place: ArchivePlace,
  month: string,
  file: ArchivedFile,
  erased: Set<number>,
  rest: () => Promise<void>,
): Promise<ArchivedFile> {
  const about = { folder: folderOf(month), name: nextName(file.name), columns: [...CLICK_COLUMNS] };
  const rewritten = await writeArchivedFile(place, about, groupsOf(place, month, file, erased), rest);
  if (rewritten?.rows !== file.rows) throw new Error(`${file.name} has other rows than its manifest says`);
  return rewritten;
}

const ROWS_PER_GROUP = 5_000;

async function* groupsOf(place: ArchivePlace, month: string, { name, bytes, rows }: ArchivedFile, erased: Set<number>) {
  const file = openArchivedFile(place, `${folderOf(month)}/${name}`, bytes);
  for (let from = 0; from < rows; from += ROWS_PER_GROUP) {
    const group = (await readRows(file, { from, to: Math.min(from + ROWS_PER_GROUP, rows) })) as StoredClick[];
    yield group.map((click) => (erased.has(click.customer_id) ? clearClick(click) : click));
  }
}

/** The click without what erasure clears. */
export function clearClick(click: StoredClick): StoredClick {
  return { ...click, ...NOTHING };
}

const NOTHING = Object.fromEntries(CLEARED.map((column) => [column, null]));

/** `clicks-2026-01-0001.parquet`, and once it was written again, `clicks-2026-01-0001.2.parquet`. */
const versionOf = (name: string) => Number(/\.(\d+)\.parquet$/.exec(name)?.[1] ?? 1);
const nameOf = (name: string, version: number) =>
  name.replace(/(\.\d+)?\.parquet$/, version === 1 ? '.parquet' : `.${version}.parquet`);
const nextName = (name: string) => nameOf(name, versionOf(name) + 1);
const earlierNames = (name: string) =>
  Array.from({ length: versionOf(name) - 1 }, (_, index) => nameOf(name, index + 1));
