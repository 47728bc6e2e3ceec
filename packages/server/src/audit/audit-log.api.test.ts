import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { purgeAuditLog } from '../jobs/purge-audit-log.ts';
import { addDays } from '../time.ts';
import { insertAuditEvent, OPERATOR } from './audit-store.ts';

const service = useService();

const REFUSED = 'Rows of the audit log are never changed or deleted';

const event = (workspaceId: number) =>
  ({ workspaceId, actor: OPERATOR, action: 'key.regenerated', subject: { type: 'program', id: 1 } }) as const;

const countOf = async (workspaceId: number) =>
  (await service.sql('select 1 from audit_events where advertiser_id = $1', [workspaceId])).length;

it('the database refuses to change or delete a row', async () => {
  const { workspaceId } = await ownedProgram(service);
  await insertAuditEvent(service.ctx.db, event(workspaceId), service.time);
  const before = await service.sql('select * from audit_events order by id');
  for (const statement of [
    `update audit_events set actor_name = 'Somebody else'`,
    'update audit_events set created_at = now() where false',
    'delete from audit_events',
    'delete from audit_events where id = (select min(id) from audit_events)',
  ]) {
    await expect(service.sql(statement)).rejects.toThrow(REFUSED);
  }
  // What lets the job remove old rows lets nobody change one, and the other way around.
  await expect(
    service.ctx.db.transaction(async (tx) => {
      await tx.query(`select set_config('svc.audit_change', 'purge', true)`);
      await tx.query(`update audit_events set actor_name = 'Somebody else'`);
    }),
  ).rejects.toThrow(REFUSED);
  expect(await service.sql('select * from audit_events order by id')).toEqual(before);
});

it('a row exists exactly if the change that it is about does', async () => {
  const { workspaceId } = await ownedProgram(service);
  const before = await countOf(workspaceId);
  const change = service.ctx.db.transaction(async (tx) => {
    await insertAuditEvent(tx, event(workspaceId), service.time);
    throw new Error('the change failed');
  });
  await expect(change).rejects.toThrow('the change failed');
  expect(await countOf(workspaceId)).toBe(before);
});

it('rows that are older than the configured days are removed in batches, and only those', async () => {
  const { workspaceId } = await ownedProgram(service);
  const add = (daysOld: number, rows: number) =>
    service.sql(
      `insert into audit_events (advertiser_id, action, subject, subject_id, created_at)
       select $1, 'key.regenerated', 'program', '1', $2 from generate_series(1, $3::int)`,
      [workspaceId, addDays(service.time, -daysOld), rows],
    );
  await add(731, 2_500);
  await add(729, 1);
  const kept = await countOf(workspaceId);
  expect(await purgeAuditLog(730).run(service.ctx)).toBe('purged 2500 rows of the audit log');
  expect(await countOf(workspaceId)).toBe(kept - 2_500);
  expect(await purgeAuditLog(730).run(service.ctx)).toBeNull();
  await expect(service.sql('delete from audit_events')).rejects.toThrow(REFUSED);
});
