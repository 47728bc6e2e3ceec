import { join } from 'node:path';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { TestService } from '@svc/testkit/service/service.ts';
import { newPostgres, openDatabase } from '@svc/testkit/service/stores/store.ts';
import { expect, it } from 'vitest';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

const folder = useFolder();

it('the data of an embedded store moves to a real Postgres, and the service continues there', async () => {
  const path = join(folder.path, 'small.backup');
  const small = new TestService();
  await small.open({ DATABASE_URL: '', SVC_DATA_DIR: 'memory://' });
  const made = await small.program();
  await small.customer(made, 'user-1');
  await small.sale({ transaction_id: 'moved-1', amount_cents: 5_000, customer_key: 'user-1' }, { key: made.apiKey });
  await writeBackup(small.ctx.db, path, small.time);
  await small.service.close();

  const url = await newPostgres();
  const target = openDatabase(url);
  await restoreBackup(target, path);
  await target.close();

  const large = new TestService();
  await large.open({ DATABASE_URL: url });
  const again = { transaction_id: 'moved-1', amount_cents: 5_000, customer_key: 'user-1' };
  expect((await large.sale(again, { key: made.apiKey })).status).toBe(409);
  expect((await large.sale({ ...again, transaction_id: 'moved-2' }, { key: made.apiKey })).status).toBe(200);
  expect((await large.refund({ transaction_id: 'moved-1' }, { key: made.apiKey })).body.data.status).toBe('reversed');
  await large.service.close();
}, 120_000);
