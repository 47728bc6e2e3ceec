import type { StoredClick } from '../clicks/click-month-store.ts';
import type { Context } from '../context.ts';
import { folderOf } from './archive-month.ts';
import { findArchivedVisitor, listArchivedMonths } from './archive-store.ts';
import { openArchivedFile } from './archived-file.ts';
import { clearClick, presentFiles } from './erase-archived-clicks.ts';
import { findGroups, readRows } from './parquet.ts';

/** The newest archived clicks of a customer of the program, newest first. Only the parts of files that may have some are read. */
export async function readArchivedClicks(
  { db, archive }: Context,
  programId: number,
  customerId: number,
  limit: number,
): Promise<StoredClick[]> {
  const visitor = archive ? await findArchivedVisitor(db, programId, customerId) : null;
  if (!archive || !visitor) return [];
  const clicks: StoredClick[] = [];
  for (const { month, files: noted } of await listArchivedMonths(db, visitor.since.toISOString().slice(0, 7))) {
    const isConcerned = noted.some(
      ({ first_customer_id: first, last_customer_id: last }) => first <= customerId && customerId <= last,
    );
    const files = isConcerned ? await presentFiles(archive, month, noted) : [];
    for (const { name, bytes, first_customer_id: first, last_customer_id: last } of files) {
      if (customerId < first || customerId > last) continue;
      const file = openArchivedFile(archive, `${folderOf(month)}/${name}`, bytes);
      const groups = await findGroups(file, 'customer_id', customerId);
      const rows = groups ? ((await readRows(file, groups)) as StoredClick[]) : [];
      clicks.push(...rows.filter((row) => row.customer_id === customerId && row.program_id === programId));
    }
    if (clicks.length >= limit) break;
  }
  const newest = clicks.sort((one, other) => Number(other.clicked_at) - Number(one.clicked_at) || other.id - one.id);
  // Until their files are written again, they still have what was erased.
  return newest.slice(0, limit).map((click) => (visitor.isErased ? clearClick(click) : click));
}
