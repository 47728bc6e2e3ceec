import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type FirstProgram, setUp } from '@svc/testkit/service/processes/first-program.ts';
import {
  post,
  type RunningService,
  SECRET,
  startService,
  temporaryFolder,
} from '@svc/testkit/service/processes/processes.ts';
import { createWithFullSegment, removePreparedSegments } from '@svc/testkit/service/stores/full-segment.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from './db/engines/embedded.ts';

const MIB = 1_048_576;
/** Less than a segment of the log needs, and more than the rows that are written until then. */
const TOO_LITTLE_FOR_A_SEGMENT = 12 * MIB;
const WORKERS = 16;

const disk = await mountSmallDisk();
if (!disk) console.warn('Skipped: a small file system cannot be mounted here (this needs root on Linux).');

async function mountSmallDisk(): Promise<string | null> {
  const folder = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return null;
  }
}

describe.skipIf(!disk)('the embedded store on a full disk', () => {
  const folder = disk ?? '';
  const env = {
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_SECRET: SECRET,
    SVC_RATE_LIMITS: 'click=100000000',
  };
  const acknowledged: string[] = [];
  let first: FirstProgram;
  let service: RunningService;

  beforeAll(async () => {
    await createWithFullSegment(join(env.SVC_DATA_DIR, 'postgres'), 3 * MIB);
    service = await startService(env);
    await removePreparedSegments(join(env.SVC_DATA_DIR, 'postgres'));
    first = await setUp(env);
  });
  afterAll(async () => {
    await service?.end('SIGKILL');
    execFileSync('umount', [folder]);
  });

  /** Takes all room but so many bytes. The service may take the last of it meanwhile. */
  async function fillDisk(bytesLeft: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    const filled = writeFile(join(folder, 'filler'), Buffer.alloc(bavail * bsize - bytesLeft));
    await filled.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error;
    });
  }
  const makeRoom = () => rm(join(folder, 'filler'));

  async function click() {
    const page = `https://acme.test/?aff=${first.short_link}&page=${randomBytes(900).toString('base64url')}`;
    const { status, body } = await post(`${service.url}/api/v1/track/click`, { affiliate_url: page });
    if (status === 200) acknowledged.push(body.click_id);
    return { status, body };
  }

  /** Sends clicks until one fails, and returns the answer to that one. */
  async function untilClicksFail() {
    const failed: Awaited<ReturnType<typeof click>>[] = [];
    const send = async () => {
      for (let sent = 0; sent < 2_000 && failed.length === 0; sent += 1) {
        const answer = await click();
        if (answer.status !== 200) failed.push(answer);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, send));
    return failed[0];
  }

  async function untilReady(expected: number): Promise<string | undefined> {
    const readyz = async () => {
      const response = await fetch(`${service.url}/readyz`);
      return { status: response.status, body: (await response.json()) as { message?: string } };
    };
    const { status, body } = await eventually(readyz, (answer) => answer.status === expected);
    expect(status).toBe(expected);
    return body.message;
  }

  const troubles = () =>
    service.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ level, msg }) => level >= 40 || msg.includes('works again'))
      .map(({ msg }) => msg);

  const refusal = {
    status: 500,
    body: {
      data: null,
      error: { status: 500, name: 'InternalServerError', message: 'Click tracking failed', details: {} },
    },
  };
  const FULL = 'The disk of the data folder is full. Nothing can be written until there is room.';
  const STOPPED = 'The disk of the data folder is full. The embedded store has stopped and reopens when there is room.';
  const WORKS = 'The embedded store works again';

  it('refuses what it cannot store, says so once in the log and in /readyz, and goes on when there is room', async () => {
    await fillDisk(0);
    expect(await untilClicksFail()).toEqual(refusal);
    for (let sent = 0; sent < 20; sent += 1) expect(await click()).toEqual(refusal);
    expect(await untilReady(503)).toBe(FULL);
    await makeRoom();
    await untilReady(200);
    expect(await click()).toMatchObject({ status: 200 });
    expect(troubles()).toEqual([FULL, WORKS]);
  });

  it('does the same when there is no room for the next segment of its log', async () => {
    await fillDisk(TOO_LITTLE_FOR_A_SEGMENT);
    expect(await untilClicksFail()).toEqual(refusal);
    for (let sent = 0; sent < 20; sent += 1) expect(await click()).toEqual(refusal);
    expect(await untilReady(503)).toBe(STOPPED);
    await makeRoom();
    await untilReady(200);
    expect(await click()).toMatchObject({ status: 200 });
    expect(troubles()).toEqual([FULL, WORKS, STOPPED, WORKS]);
  });

  it('ends on SIGTERM while the disk is full, and has all that was acknowledged', async () => {
    await fillDisk(0);
    expect(await untilClicksFail()).toEqual(refusal);
    service.child.kill('SIGTERM');
    expect((await service.untilEnded(25_000)).code).toBe(0);
    await makeRoom();
    const db = await openEmbedded(join(env.SVC_DATA_DIR, 'postgres'));
    const rows = await db.query<{ id: number; at: Date }>('select id, clicked_at as at from customers', []);
    await db.close();
    const stored = new Set(rows.map(({ id, at }) => `cust_${id}_${at.getTime()}`));
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });
});
