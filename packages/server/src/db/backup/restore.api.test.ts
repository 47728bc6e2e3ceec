import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { openNewDb } from '@svc/testkit/service/stores/open-db.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../db.ts';
import { listTables, quoted } from '../schema/tables.ts';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

const service = useService();
const folder = useFolder();
const SALES = 6;

async function rowsIn(db: Db): Promise<number> {
  let rows = 0;
  for (const table of await listTables(db)) rows += (await db.query(`select 1 from ${quoted(table)}`)).length;
  return rows;
}

describe('a file', () => {
  let empty: Db;
  let whole: Buffer;
  beforeAll(async () => {
    const program = await service.program();
    await service.customer(program, 'user-1');
    for (let index = 0; index < SALES; index += 1) {
      const sale = { transaction_id: `t-${index}`, amount_cents: 1_000 + index, customer_key: 'user-1' };
      await service.sale(sale, { key: program.apiKey });
    }
    const path = join(folder.path, 'whole.backup');
    await writeBackup(service.ctx.db, path, service.time);
    whole = await readFile(path);
    empty = await openNewDb();
  });
  afterAll(() => empty?.close());

  // Events repeat what sales say.
  const withAmount = (cents: string) => (line: string) =>
    line.includes('"event_id"') ? line : line.replaceAll('"amount_cents":1005', `"amount_cents":${cents}`);

  const asText = (change: (lines: string[]) => (string | undefined)[]) => (file: Buffer) =>
    gzipSync(change(gunzipSync(file).toString().split('\n')).join('\n'));

  it.each<[string, (file: Buffer) => Buffer, string | RegExp]>([
    ['without its end', asText((lines) => lines.slice(0, -2)), 'The backup is incomplete: its end is missing.'],
    ['cut off', (file) => file.subarray(0, file.length / 2), 'The backup is incomplete: its end is missing.'],
    [
      'with another schema',
      asText(([first, ...rest]) => [first?.replace('0001-', '0000-'), ...rest]),
      'has the schema of',
    ],
    [
      'with a changed amount',
      asText((lines) => lines.map(withAmount('9005'))),
      'The backup was altered or is damaged: the rows of sales do not match their checksum.',
    ],
    [
      'with an amount below zero',
      asText((lines) => lines.map(withAmount('-5'))),
      'The backup was altered or is damaged: the store refuses some of its rows',
    ],
    [
      'with a broken line',
      asText((lines) => lines.map((line, index) => (index === 4 ? '{' : line))),
      'line 5 cannot be read',
    ],
    ['that is something else', () => Buffer.from('hello'), 'is not a backup.'],
    ['that is compressed and something else', () => gzipSync('{"hello":"world"}\n'), 'is not a backup.'],
  ])('%s is refused in a sentence, and nothing is stored', async (_what, change, message) => {
    const path = join(folder.path, `changed-${randomUUID()}.backup`);
    await writeFile(path, change(whole));
    await expect(restoreBackup(empty, path)).rejects.toThrow(message);
    expect(await rowsIn(empty)).toBe(0);
  });

  it('with any changed byte is refused as damaged, and nothing is stored', async () => {
    const HEADER_OF_GZIP = 10;
    const path = join(folder.path, 'changed-byte.backup');
    for (let position = HEADER_OF_GZIP; position < whole.length; position += Math.ceil(whole.length / 100)) {
      const changed = Buffer.from(whole);
      changed[position] = ~(changed[position] ?? 0);
      await writeFile(path, changed);
      await expect(restoreBackup(empty, path), `byte ${position}`).rejects.toThrow(/is (damaged|incomplete)/);
    }
    expect(await rowsIn(empty)).toBe(0);
  });

  it('that is missing or a folder is refused in a sentence', async () => {
    const missing = join(folder.path, 'missing.backup');
    await expect(restoreBackup(empty, missing)).rejects.toThrow(`There is no file ${missing}.`);
    await expect(restoreBackup(empty, folder.path)).rejects.toThrow(`${folder.path} is a folder, not a backup.`);
  });

  it('is compared only if asked to', async () => {
    const path = join(folder.path, 'unverified.backup');
    const lines = gunzipSync(whole).toString();
    await writeFile(path, gzipSync(lines.replaceAll('"amount_cents":1005', '"amount_cents":9005')));
    const db = await openNewDb();
    try {
      const { tables } = await restoreBackup(db, path, { verify: false });
      expect(tables.sales?.rows).toBe(SALES);
    } finally {
      await db.close();
    }
  });
});
