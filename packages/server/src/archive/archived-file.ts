import { createHash } from 'node:crypto';
import { type AsyncBuffer, parquetMetadataAsync } from 'hyparquet';
import { ArchiveError, type ArchivePlace } from './archive-place.ts';
import { type Column, type ParquetRow, readRows, startFile } from './parquet.ts';

/** A file of an archived month. Its rows are sorted by customer, so that the clicks of one are found in one or two files. */
export type ArchivedFile = {
  name: string;
  rows: number;
  bytes: number;
  sha256: string;
  sum_of_ids: string;
  first_customer_id: number;
  last_customer_id: number;
};

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A digest of rows, whatever file they are in. */
function digestOf(columns: Column[], rows: ParquetRow[], digest = createHash('sha256')) {
  for (const row of rows) digest.update(JSON.stringify(columns.map(({ name }) => row[name] ?? null)));
  return digest;
}

/** Writes rows to a file of the archive, group by group, and makes sure that they can be read back as they were. */
export async function writeArchivedFile(
  place: ArchivePlace,
  { folder, name, columns }: { folder: string; name: string; columns: Column[] },
  groups: AsyncIterable<ParquetRow[]>,
  rest: () => Promise<void>,
): Promise<ArchivedFile | null> {
  const file = startFile(columns);
  const written = createHash('sha256');
  let rows = 0;
  let ids = 0n;
  let first: number | null = null;
  let last = 0;
  for await (const group of groups) {
    await file.add(group);
    digestOf(columns, group, written);
    rows += group.length;
    for (const { id } of group) ids += BigInt(id as number);
    first ??= Number(group[0]?.customer_id);
    last = Number(group.at(-1)?.customer_id);
    await rest();
  }
  if (first === null) return null;
  const bytes = await file.finish();
  const path = `${folder}/${name}`;
  await place.write(path, bytes);
  const archived = {
    name,
    rows,
    bytes: bytes.length,
    sha256: sha256(bytes),
    sum_of_ids: String(ids),
    first_customer_id: first,
    last_customer_id: last,
  };
  await rest();
  await verify(place, path, columns, { ...archived, digest: written.digest('hex') }, rest);
  return archived;
}

const ROWS_PER_READ = 5_000;

async function verify(
  place: ArchivePlace,
  path: string,
  columns: Column[],
  expected: Pick<ArchivedFile, 'rows' | 'sha256'> & { digest: string },
  rest: () => Promise<void>,
): Promise<void> {
  const differs = new ArchiveError('verified', path, 'what was read back differs from what was written');
  const bytes = await place.read(path);
  if (sha256(bytes) !== expected.sha256) throw differs;
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const metadata = await parquetMetadataAsync(file);
  const read = createHash('sha256');
  for (let from = 0; from < expected.rows; from += ROWS_PER_READ) {
    digestOf(columns, await readRows(file, { metadata, from, to: from + ROWS_PER_READ }), read);
    await rest();
  }
  if (read.digest('hex') !== expected.digest) throw differs;
}

/** A file of the archive, of which only the parts that are needed are read. */
export function openArchivedFile(place: ArchivePlace, path: string, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const bytes = await place.read(path, start, end);
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    },
  };
}
