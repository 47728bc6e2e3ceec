import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { openNewDb } from '@svc/testkit/service/stores/open-db.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../db.ts';
import { fingerprint, listTables } from '../schema/tables.ts';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

const service = useService();
const folder = useFolder();
let program: TestProgram;

beforeAll(async () => {
  program = await service.program({ commissionRate: '12.5', holdDays: 7 });
  await service.sql('select make_click_partition($1)', [service.time]);
  const key = { key: program.apiKey };
  for (let index = 0; index < 30; index += 1) {
    await service.customer(program, `it’s "customer" ${index}\\`);
    const sale = {
      transaction_id: `t-${index}`,
      amount_cents: 1_000 + index,
      customer_key: `it’s "customer" ${index}\\`,
    };
    await service.sale({ ...sale, line_items: [{ name: 'a\nb', cents: 1 }] }, key);
    if (index % 3 === 0) await service.refund({ transaction_id: `t-${index}`, refund_amount_cents: 17 }, key);
  }
});

function contentOf(db: Pick<Db, 'transaction'>): Promise<Record<string, { rows: number; sum: string }>> {
  return db.transaction(async (tx) => {
    await tx.query(`set local timezone = 'UTC'`);
    const content: Record<string, { rows: number; sum: string }> = {};
    for (const table of await listTables(tx)) content[table] = await fingerprint(tx, table);
    return content;
  });
}

describe('a backup', () => {
  let path: string | undefined;
  /** A backup of the whole store, written once. */
  async function whole(): Promise<string> {
    if (path) return path;
    path = join(folder.path, 'whole.backup');
    await writeBackup(service.ctx.db, path, service.time);
    return path;
  }

  it('is never written into a file that exists, finished or not', async () => {
    const path = join(folder.path, 'taken.backup');
    await writeFile(`${path}.unfinished`, 'of somebody else');
    await expect(writeBackup(service.ctx.db, path, service.time)).rejects.toThrow(
      `${path}.unfinished already exists. Another backup is being written, or one was interrupted`,
    );
    expect(await readFile(`${path}.unfinished`, 'utf8')).toBe('of somebody else');
    expect(existsSync(path)).toBe(false);
    const finished = join(folder.path, 'finished.backup');
    await writeFile(finished, 'an older backup');
    await expect(writeBackup(service.ctx.db, finished, service.time)).rejects.toThrow(
      `${finished} already exists. Choose a new name for the backup.`,
    );
    expect(await readFile(finished, 'utf8')).toBe('an older backup');
    expect(existsSync(`${finished}.unfinished`)).toBe(false);
  });

  it('restores every table exactly, and new rows get ids after the restored ones', async () => {
    // Nothing changes in the background meanwhile.
    await expect.poll(() => service.sql('select id from outbox')).toEqual([]);
    const path = join(folder.path, 'all.backup');
    const { tables } = await writeBackup(service.ctx.db, path, service.time);
    expect(tables.sales?.rows).toBe(30);
    expect(tables.refunds?.rows).toBe(10);
    const db = await openNewDb();
    try {
      await restoreBackup(db, path);
      expect(await contentOf(db)).toEqual(await contentOf(service.ctx.db));
      const [last] = await db.query<{ id: number }>('select max(id) as id from customers');
      const [next] = await db.query<{ id: number }>(
        `insert into customers (program_id, created_at) values ($1, now()) returning id`,
        [program.program.id],
      );
      expect(next?.id).toBe((last?.id ?? 0) + 1);
      const months = await db.query<{ rows: number }>(`select count(*) as rows from clicks_2026_03`);
      expect(months).toEqual([{ rows: 30 }]);
    } finally {
      await db.close();
    }
  });

  it('is not restored into a store that is not empty', async () => {
    const path = join(folder.path, 'again.backup');
    await writeBackup(service.ctx.db, path, service.time);
    await expect(restoreBackup(service.ctx.db, path)).rejects.toThrow('The store is not empty');
  });

  it('with a changed amount is refused, and nothing is stored', async () => {
    const path = join(folder.path, 'changed.backup');
    const lines = gunzipSync(await readFile(await whole()))
      .toString()
      .split('\n');
    // Events repeat what sales say.
    const changed = lines.map((line) =>
      line.includes('"event_id"') ? line : line.replaceAll('"amount_cents":1005', '"amount_cents":9005'),
    );
    await writeFile(path, gzipSync(changed.join('\n')));
    const db = await openNewDb();
    try {
      await expect(restoreBackup(db, path)).rejects.toThrow('the rows of sales do not match their checksum');
      const tables = Object.values(await contentOf(db));
      expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBe(0);
    } finally {
      await db.close();
    }
  });

  it('leaves no file when it cannot be written', async () => {
    const path = join(folder.path, 'no-such-folder', 'x.backup');
    await expect(writeBackup(service.ctx.db, path, service.time)).rejects.toThrow('ENOENT');
    expect(existsSync(path)).toBe(false);
    expect((await service.sql('select 1 as one'))[0]).toEqual({ one: 1 });
  });
});
