import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { smallDiskOrNone } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type FirstProgram, setUp } from '@svc/testkit/service/processes/first-program.ts';
import { post, type RunningService, SECRET, startService } from '@svc/testkit/service/processes/processes.ts';
import { createWithFullSegment, removePreparedSegments } from '@svc/testkit/service/stores/full-segment.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from './db/engines/embedded.ts';

const MIB = 1_048_576;
/** Less than a segment of the log needs, and more than the rows that are written until then. */
const TOO_LITTLE_FOR_A_SEGMENT = 12 * MIB;
const WORKERS = 16;

const disk = smallDiskOrNone(160);

describe.skipIf(!disk)('the embedded store on a full disk', () => {
  const env = {
    SVC_DATA_DIR: join(disk?.folder ?? '', 'data'),
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
    disk?.unmount();
  });

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
    disk?.fill();
    expect(await untilClicksFail()).toEqual(refusal);
    for (let sent = 0; sent < 20; sent += 1) expect(await click()).toEqual(refusal);
    expect(await untilReady(503)).toBe(FULL);
    disk?.makeRoom();
    await untilReady(200);
    expect(await click()).toMatchObject({ status: 200 });
    await expect.poll(troubles).toEqual([FULL, WORKS]);
  });

  it('does the same when there is no room for the next segment of its log', async () => {
    disk?.fill(TOO_LITTLE_FOR_A_SEGMENT);
    expect(await untilClicksFail()).toEqual(refusal);
    for (let sent = 0; sent < 20; sent += 1) expect(await click()).toEqual(refusal);
    expect(await untilReady(503)).toBe(STOPPED);
    disk?.makeRoom();
    await untilReady(200);
    expect(await click()).toMatchObject({ status: 200 });
    await expect.poll(troubles).toEqual([FULL, WORKS, STOPPED, WORKS]);
  });

  it('ends on SIGTERM while the disk is full, and has all that was acknowledged', async () => {
    disk?.fill();
    expect(await untilClicksFail()).toEqual(refusal);
    service.child.kill('SIGTERM');
    expect((await service.untilEnded(25_000)).code).toBe(0);
    disk?.makeRoom();
    const db = await openEmbedded(join(env.SVC_DATA_DIR, 'postgres'));
    const rows = await db.query<{ id: number; at: Date }>('select id, clicked_at as at from customers', []);
    await db.close();
    const stored = new Set(rows.map(({ id, at }) => `cust_${id}_${at.getTime()}`));
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });
});
