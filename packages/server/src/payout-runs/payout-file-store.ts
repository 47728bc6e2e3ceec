import type { PayoutFileName, RunFile } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { toSum } from '../db/lists/sum.ts';

export type NewPayoutFile = {
  name: PayoutFileName;
  currency: string | null;
  part: number;
  bytesSealed: string;
  sha256: string;
  rows: number;
  totalCents: number | null;
};

/** Stores the files of a run. The database refuses a second file of the same name, currency and part. */
export async function insertPayoutFiles(
  tx: Queryable,
  runId: number,
  files: NewPayoutFile[],
  now: Date,
): Promise<void> {
  const rows = files.map(({ name, currency, part, bytesSealed, sha256, rows: count, totalCents }) => ({
    run_id: runId,
    name,
    currency,
    part,
    bytes_sealed: bytesSealed,
    sha256,
    row_count: count,
    amount_cents: totalCents,
    created_at: now,
  }));
  await tx.query(
    `insert into payout_files (run_id, name, currency, part, bytes_sealed, sha256, row_count, amount_cents, created_at)
     select run_id, name, currency, part, bytes_sealed, sha256, row_count, amount_cents, created_at
     from json_populate_recordset(null::payout_files, $1::json)`,
    [JSON.stringify(rows)],
  );
}

/** The files of a run, without their content. */
export async function listPayoutFiles(db: Queryable, runId: number): Promise<RunFile[]> {
  const rows = await db.query<Omit<RunFile, 'amount_cents'> & { cents: string | null }>(
    `select name, currency, part, row_count as rows, amount_cents::text as cents, sha256 from payout_files
     where run_id = $1 order by id`,
    [runId],
  );
  return rows.map(({ cents, ...row }) => ({ ...row, amount_cents: cents === null ? null : toSum(cents) }));
}

/** The sealed content of files of this name, in their order. */
export function listFileContents(
  db: Queryable,
  runId: number,
  name: PayoutFileName,
): Promise<{ currency: string | null; part: number; bytesSealed: string }[]> {
  return db.query(
    `select currency, part, bytes_sealed as "bytesSealed" from payout_files where run_id = $1 and name = $2 order by id`,
    [runId, name],
  );
}
