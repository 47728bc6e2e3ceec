import { join } from 'node:path';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { type TestProgram, TestService, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { openNewDb } from '@svc/testkit/service/stores/open-db.ts';
import { expect, it } from 'vitest';
import { writeBackup } from '../db/backup/backup.ts';
import { restoreBackup } from '../db/backup/restore.ts';
import { skipSequences } from './feed-store.ts';

const service = useService();
const folder = useFolder();

const read = (on: TestService, { apiKey }: TestProgram, query: string) =>
  on.call('GET', `/api/v1/events?${query}`, { key: apiKey });

/** Reads from a place until a number of events have come, and returns the place after them. */
async function follow(on: TestService, made: TestProgram, from: number, count: number): Promise<number> {
  let after = from;
  let seen = 0;
  while (seen < count) {
    const { body } = await read(on, made, `after=${after}&wait=30`);
    seen += body.data.length;
    after = body.meta.next_cursor;
  }
  return after;
}

it('after a restore, a follower is told that the feed goes on elsewhere, wherever they were', async () => {
  const made = await service.program();
  await sold(service, made);
  // The partner joined; lead, sale and commission followed.
  const atBackup = await follow(service, made, 0, 4);
  expect(atBackup).toBe(4);
  const path = join(folder.path, 'feed.backup');
  await writeBackup(service.ctx.db, path, service.time);
  await sold(service, made);
  const ahead = await follow(service, made, atBackup, 3);

  const db = await openNewDb();
  await restoreBackup(db, path, { afterwards: skipSequences });
  const restored = new TestService();
  restored.time = service.time;
  await restored.open({}, { db });
  try {
    await sold(restored, made);
    const after = (await follow(restored, made, atBackup + 1_000_000, 3)) - 3;
    // Whoever has read events that are lost, and whoever has not, could have missed something, and is told so.
    for (const cursor of [ahead, ahead - 1, atBackup]) {
      const { status, body } = await read(restored, made, `after=${cursor}`);
      expect([status, body.error.details.oldest]).toEqual([410, after + 1]);
    }
    // What was there at the time of the backup is still there, under its numbers.
    const kept = await read(restored, made, 'after=0');
    expect(kept.body.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(kept.body.meta).toEqual({ next_cursor: 4, has_more: true });
    const next = await read(restored, made, `after=${after}`);
    expect(next.body.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([
      after + 1,
      after + 2,
      after + 3,
    ]);
  } finally {
    await restored.service.close();
  }
});

it('after a restore, neither is anything hidden from a follower of a program that had no event yet', async () => {
  const made = await service.program();
  await follow(service, made, 0, 1);
  await service.sql('delete from feed_events where program_id = $1', [made.program.id]);
  await service.sql('delete from feed_sequences where program_id = $1', [made.program.id]);
  const path = join(folder.path, 'silent.backup');
  await writeBackup(service.ctx.db, path, service.time);
  await sold(service, made);
  expect(await follow(service, made, 0, 3)).toBe(3);

  const db = await openNewDb();
  await restoreBackup(db, path, { afterwards: skipSequences });
  const restored = new TestService();
  restored.time = service.time;
  await restored.open({}, { db });
  try {
    await sold(restored, made);
    await sold(restored, made);
    // Three events of the six are others than those that the follower has read under these numbers.
    await expect.poll(() => restored.sql('select 1 from outbox')).toEqual([]);
    const { status, body } = await read(restored, made, 'after=3');
    expect([status, body.error?.details.oldest]).toEqual([410, 1_000_001]);
    expect(await follow(restored, made, 1_000_000, 6)).toBe(1_000_006);
  } finally {
    await restored.service.close();
  }
});

it('after a restore, a reader who asks for the newest events gets them', async () => {
  const made = await service.program();
  await sold(service, made);
  await follow(service, made, 0, 4);
  const path = join(folder.path, 'newest.backup');
  await writeBackup(service.ctx.db, path, service.time);

  const db = await openNewDb();
  await restoreBackup(db, path, { afterwards: skipSequences });
  const restored = new TestService();
  restored.time = service.time;
  await restored.open({}, { db });
  const newest = async (count: number) => {
    const { body } = await read(restored, made, `last=${count}`);
    return [body.data.map(({ sequence }: { sequence: number }) => sequence), body.meta.next_cursor];
  };
  try {
    // Nothing has happened since: they are at the end of the feed.
    expect(await newest(3)).toEqual([[], 1_000_004]);
    expect((await read(restored, made, 'after=1000004')).status).toBe(200);
    await sold(restored, made);
    await follow(restored, made, 1_000_004, 3);
    expect(await newest(3)).toEqual([[1_000_005, 1_000_006, 1_000_007], 1_000_007]);
    expect(await newest(20)).toEqual([[1_000_005, 1_000_006, 1_000_007], 1_000_007]);
  } finally {
    await restored.service.close();
  }
});
