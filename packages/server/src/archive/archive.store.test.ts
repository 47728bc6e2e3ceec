import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { BUCKET_KEYS, startBucket } from '@svc/testkit/service/bucket.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPartitions } from '../jobs/create-partitions.ts';
import { eraseArchived } from '../jobs/erase-archived-clicks.ts';
import { retireClicks } from '../jobs/retire-clicks.ts';
import type { ArchivePlace } from './archive-place.ts';
import { createBucketPlace } from './bucket-place.ts';
import { exportTables } from './export-tables.ts';
import { createFolderPlace } from './folder-place.ts';

/** The bucket that the service itself uses. */
const bucket = await startBucket();
afterAll(() => bucket.close());
const { accessKeyId, secretAccessKey } = BUCKET_KEYS;
const service = useService({
  SVC_ARCHIVE: 's3://brand/svc/a b/',
  AWS_ENDPOINT_URL: bucket.url,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
});

const job = retireClicks({ months: 1, action: 'archive' });

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a job of the service with an archive. */
const run = (work: typeof job, archive: ArchivePlace) => work.run({ ...service.ctx, archive });

/** Each test has a month of its own, because the whole store is archived month by month. */
let year = 2031;
async function clickedMonth() {
  const month = `${year++}-01`;
  service.time = new Date(`${month}-20T12:00:00Z`);
  await createPartitions.run(service.ctx);
  const made = await ownedProgram(service);
  const click = async (page: string) => {
    const { body } = await service.call('POST', '/api/v1/track/click', {
      body: {
        affiliate_url: `https://${made.program.domain}/?aff=${made.link}`,
        page_url: `https://${made.program.domain}/${page}`,
      },
      headers: { origin: `https://${made.program.domain}` },
    });
    return body.click_id as string;
  };
  const customerKey = newId('buyer');
  const clickId = await click('buyer');
  const lead = { click_id: clickId, customer_key: customerKey };
  await service.call('POST', '/api/v1/track/lead', { key: made.apiKey, body: lead });
  const idleClickId = await click('idle');
  const rows = await service.sql(`select * from clicks where program_id = $1 order by customer_id, id`, [
    made.program.id,
  ]);
  const customers = async () =>
    (
      await service.sql<{ key: string | null }>(
        'select customer_key as key from customers where program_id = $1 order by id',
        [made.program.id],
      )
    ).map(({ key }) => key);
  const [{ id: customerId } = { id: 0 }] = await service.sql<{ id: number }>(
    'select id from customers where customer_key = $1',
    [customerKey],
  );
  const retire = async (archive: ArchivePlace) => {
    service.time = new Date(`${Number(month.slice(0, 4))}-04-01T00:00:00Z`);
    return run(job, archive);
  };
  return { ...made, month, clickId, customerKey, customerId, idleClickId, rows, customers, retire };
}

const folderPlace = () => createFolderPlace(folder);
const bucketPlace = () =>
  createBucketPlace({
    endpoint: bucket.url,
    name: 'brand',
    prefix: 'svc/a b',
    region: 'eu-central-1',
    ...BUCKET_KEYS,
  });

describe('an archived month', () => {
  it('is in Parquet files with a manifest, row by row as it was, and no longer in the store', async () => {
    const { month, rows, retire, program } = await clickedMonth();
    expect(await retire(folderPlace())).toContain(`archived ${month}`);
    expect(await service.sql('select 1 from clicks where program_id = $1', [program.id])).toEqual([]);
    const manifest = JSON.parse(await readFile(join(folder, 'clicks', month, '_manifest.json'), 'utf8'));
    const [file] = manifest.files;
    const bytes = await readFile(join(folder, 'clicks', month, file.name));
    const archived = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    });
    const own = archived.filter(({ program_id: id }) => Number(id) === program.id);
    const plain = own.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
      ),
    );
    expect(plain).toEqual(rows.map((row) => ({ ...row })));
    expect(manifest).toMatchObject({ format: 1, table: 'clicks', month, rows: archived.length });
    expect(manifest.sum_of_ids).toBe(String(archived.reduce((sum, { id }) => sum + BigInt(id), 0n)));
  });

  it('is read by DuckDB', async () => {
    const { month, rows, retire, program } = await clickedMonth();
    await retire(folderPlace());
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const read = await connection.runAndReadAll(
      `select count(*)::int as clicks, min(page_url) as page, min(clicked_at)::text as first
       from '${join(folder, 'clicks', month)}/*.parquet' where program_id = ${program.id}`,
    );
    connection.closeSync();
    const first = `${month}-20 12:00:00`;
    expect(read.getRowObjects()).toEqual([{ clicks: 2, page: `https://${program.domain}/buyer`, first }]);
    expect(rows).toHaveLength(2);
  });

  it('shows its clicks in the journey and the export of a customer, from a bucket too', async () => {
    const { owner, month, customerId, retire, ...made } = await clickedMonth();
    const journey = async () =>
      (await service.call('GET', manage(made, `/customers/${customerId}`), { key: owner.token })).body.data;
    const before = await journey();
    expect(before).toMatchObject({
      journey: [{ type: 'click', page_url: `https://${made.program.domain}/buyer` }, { type: 'lead' }],
    });
    await retire(bucketPlace());
    const path = `brand/svc/a b/clicks/${month}`;
    expect([...bucket.objects.keys()].filter((key) => key.startsWith(path))).toEqual([
      `${path}/clicks-${month}-0001.parquet`,
      `${path}/_manifest.json`,
    ]);
    expect(await service.sql('select 1 from clicks where program_id = $1', [made.program.id])).toEqual([]);
    expect(await journey()).toEqual(before);
    const exported = await service.call('GET', manage(made, `/customers/${customerId}/export`), { key: owner.token });
    expect(exported.body.data.clicks).toMatchObject([{ page_url: `https://${made.program.domain}/buyer` }]);
  });

  it('is explained as before: the click itself, and a sale that was credited by it', async () => {
    const { owner, clickId, customerKey, retire, ...made } = await clickedMonth();
    const sale = { transaction_id: newId('order'), customer_key: customerKey, amount_cents: 10_000 };
    expect((await service.sale(sale, { key: made.apiKey })).status).toBe(200);
    const explained = async (query: string) =>
      (await service.call('GET', manage(made, `/explain?${query}`), { key: owner.token })).body.data;
    const both = async () => ({
      click: await explained(`click_id=${clickId}`),
      sale: await explained(`transaction_id=${sale.transaction_id}`),
    });
    const before = await both();
    expect(before.click).toMatchObject([
      { reason: 'lead_recorded', click_id: clickId },
      { reason: 'sale_attributed', transaction_id: sale.transaction_id },
    ]);
    expect(before.sale).toMatchObject([{ reason: 'sale_attributed' }]);
    expect(await retire(folderPlace())).toContain('archived');
    expect(await service.sql('select 1 from clicks where program_id = $1', [made.program.id])).toEqual([]);
    expect(await both()).toEqual(before);
  });

  it.each([
    ['a folder', folderPlace],
    ['a bucket', bucketPlace],
  ])('is all that its folder has, although an earlier attempt wrote more files to %s', async (_where, placeOf) => {
    const { month, retire } = await clickedMonth();
    const place = placeOf();
    const nameOf = (number: number) => `clicks/${month}/clicks-${month}-000${number}.parquet`;
    for (const number of [1, 2, 3]) await place.write(nameOf(number), Buffer.from('of an earlier attempt'));
    expect(await retire(place)).toContain(month);
    const kept = [];
    for (const number of [1, 2, 3, 4]) kept.push(await place.has(nameOf(number)));
    expect(kept).toEqual([true, false, false, false]);
    const manifest = JSON.parse(Buffer.from(await place.read(`clicks/${month}/_manifest.json`)).toString());
    expect(manifest.files).toMatchObject([{ name: `clicks-${month}-0001.parquet`, bytes: expect.any(Number) }]);
    expect(await place.read(nameOf(1))).toHaveLength(manifest.files[0].bytes);
  });

  it('no longer names people who were erased, in any file', async () => {
    const { owner, month, customerId, retire, rows, ...made } = await clickedMonth();
    await retire(folderPlace());
    const erased = await service.call('POST', manage(made, `/customers/${customerId}/erase`), {
      key: owner.token,
      body: {},
    });
    expect(erased.status).toBe(200);
    expect(await run(eraseArchived, folderPlace())).toContain('1 files');
    const names = await readdir(join(folder, 'clicks', month));
    expect(names.sort()).toEqual(['_manifest.json', `clicks-${month}-0001.2.parquet`]);
    const bytes = await readFile(join(folder, 'clicks', month, `clicks-${month}-0001.2.parquet`));
    const archived = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    });
    const pages = archived
      .filter(({ program_id: id }) => Number(id) === made.program.id)
      .map(({ page_url: page }) => page);
    expect(pages).toEqual([null, `https://${made.program.domain}/idle`]);
    expect(await run(eraseArchived, folderPlace())).toBeNull();
    expect(rows).toHaveLength(2);
  });

  it('stays in the store if a file cannot be read back as it was written', async () => {
    const { program, retire } = await clickedMonth();
    const place = folderPlace();
    const damaging: ArchivePlace = {
      ...place,
      async write(path, bytes) {
        await place.write(path, bytes);
        if (path.endsWith('.parquet')) await writeFile(join(folder, path), bytes.with(100, bytes[100]! ^ 1));
      },
    };
    await expect(retire(damaging)).rejects.toThrow(/could not be verified/);
    expect(await service.sql('select 1 from clicks where program_id = $1', [program.id])).toHaveLength(2);
    expect(await retire(place)).toContain('archived');
  });

  it('stays in the store if somebody is erased while it is written, and is archived without them the next time', async () => {
    const { owner, customerId, month, retire, ...made } = await clickedMonth();
    const place = folderPlace();
    const erasing: ArchivePlace = {
      ...place,
      async write(path, bytes) {
        await place.write(path, bytes);
        if (!path.endsWith('.parquet')) return;
        await service.call('POST', manage(made, `/customers/${customerId}/erase`), { key: owner.token, body: {} });
      },
    };
    await expect(retire(erasing)).rejects.toThrow(/changed while they were archived/);
    expect(await retire(place)).toContain(`archived ${month}`);
    const bytes = await readFile(join(folder, 'clicks', month, `clicks-${month}-0001.parquet`));
    expect(bytes.includes(Buffer.from('/buyer'))).toBe(false);
  });
});

describe('an export to Parquet', () => {
  it('has every table as it is, without credentials', async () => {
    const { program, apiKey, customerKey } = await clickedMonth();
    const createdAt = service.time;
    const sale = { transaction_id: newId('order'), customer_key: customerKey, amount_cents: 10_000 };
    expect((await service.sale(sale, { key: apiKey })).status).toBe(200);
    const to = join(folder, newId('export'));
    const tables = await exportTables(service.ctx.db, to, null, () => {});
    const rowsOf = async (table: string) => {
      const bytes = await readFile(join(to, `${table}-0001.parquet`));
      return parquetReadObjects({
        file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
      });
    };
    // What is announced is numbered at any time.
    for (const { table, rows } of tables.filter(({ table: name }) => !/^(outbox|feed_)/.test(name))) {
      const [{ count } = { count: -1 }] = await service.sql<{ count: number }>(
        `select count(*) as count from "${table}"`,
      );
      expect({ table, rows }).toEqual({ table, rows: count });
    }
    const customers = (await rowsOf('customers')).filter(({ program_id: id }) => Number(id) === program.id);
    // Rows leave in the order in which they are stored, which an update changes.
    expect(customers.map(({ status }) => status).toSorted()).toEqual(['click', 'conversion']);
    expect(customers.map(({ created_at: at }) => at)).toEqual([createdAt, createdAt]);
    // A time without a beginning, which Parquet does not have.
    expect((await rowsOf('sales')).filter(({ program_id: id }) => Number(id) === program.id)).toMatchObject([
      { amount_cents: 10_000n, repair_after: null },
    ]);
    expect(Object.keys(customers[0] ?? {})).not.toContain('email_hash');
    const names = tables.map(({ table }) => table);
    expect(names).toEqual(expect.arrayContaining(['clicks', 'sales', 'commissions', 'payouts', 'book_entries']));
    for (const secret of ['sessions', 'program_keys', 'account_tokens', 'sign_ins', 'passkeys', 'payout_methods']) {
      expect(names).not.toContain(secret);
    }
    const later = await exportTables(service.ctx.db, join(to, 'later'), new Date('2100-01-01'), () => {});
    expect(later.find(({ table }) => table === 'customers')?.rows).toBe(0);
  });
});

describe('visitors', () => {
  it('who only clicked leave with their month, and those who did anything stay', async () => {
    const { customers, customerKey, retire } = await clickedMonth();
    expect(await customers()).toEqual([customerKey, null]);
    expect(await retire(folderPlace())).toContain('visitors who did nothing else removed');
    expect(await customers()).toEqual([customerKey]);
  });

  it('stay as long as they could still be credited, or have clicks in a later month', async () => {
    const { customers, month, idleClickId, program, link, retire } = await clickedMonth();
    service.time = new Date(`${month.slice(0, 4)}-03-10T12:00:00Z`);
    await createPartitions.run(service.ctx);
    await service.call('POST', '/api/v1/track/click', {
      body: { affiliate_url: `https://${program.domain}/?aff=${link}`, existing_click_id: idleClickId },
      headers: { origin: `https://${program.domain}` },
    });
    await retire(folderPlace());
    expect(await customers()).toHaveLength(2);
    await service.sql('update programs set attribution_window_days = 700 where id = $1', [program.id]);
    service.time = new Date(`${Number(month.slice(0, 4)) + 1}-02-01T00:00:00Z`);
    await run(job, folderPlace());
    expect(await customers()).toHaveLength(2);
  });
});
