import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it, onTestFinished } from 'vitest';
import type { ArchivePlace } from '../archive/archive-place.ts';
import { createFolderPlace } from '../archive/folder-place.ts';
import { createPartitions } from './create-partitions.ts';
import { retireClicks } from './retire-clicks.ts';

const service = useService();

/** Reads clicks in a transaction that is open until the returned function is called, as a long report or a backup does. */
async function readClicks(): Promise<() => Promise<void>> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let reading: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    reading = service.ctx.db.transaction(async (tx) => {
      await tx.query('select from clicks limit 1', []);
      resolve();
      await ended;
    });
    reading.catch(reject);
  });
  const endReading = async () => {
    end();
    await reading;
  };
  onTestFinished(endReading);
  return endReading;
}

/** An archive in a new folder, and whether a month is in it. */
async function openArchive(): Promise<{ archive: ArchivePlace; isArchived: () => boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const place = createFolderPlace(folder);
  let isArchived = false;
  const write: ArchivePlace['write'] = async (path, bytes) => {
    await place.write(path, bytes);
    isArchived ||= path.endsWith('/_manifest.json');
  };
  return { archive: { ...place, write }, isArchived: () => isArchived };
}

it.each([
  ['drop', '2026-01'],
  ['detach', '2027-01'],
  ['archive', '2028-01'],
] as const)(
  'while somebody reads clicks for long, %s waits for them and lets new clicks pass',
  async (action, month) => {
    const made = await service.program();
    const { archive, isArchived } = await openArchive();
    service.time = new Date(`${month}-20T12:00:00Z`);
    await createPartitions.run(service.ctx);
    await service.clickId(made.link);
    service.time = new Date(service.time.getTime() + 70 * 86_400_000);
    await createPartitions.run(service.ctx);

    const endReading = await readClicks();
    const meanwhile = [() => service.clickId(made.link), endReading];
    const rest = async () => {
      // An archive also rests while it writes.
      if (action !== 'archive' || isArchived()) await meanwhile.shift()?.();
    };
    expect(await retireClicks({ months: 1, action }).run({ ...service.ctx, archive }, rest)).toContain(month);
    expect(meanwhile).toEqual([]);
    const left = await service.sql(`select to_char(clicked_at, 'YYYY-MM') as month from clicks where program_id = $1`, [
      made.program.id,
    ]);
    expect(left).toEqual([{ month: service.time.toISOString().slice(0, 7) }]);
  },
);
