import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type FirstProgram, setUp } from '@svc/testkit/service/processes/first-program.ts';
import {
  type RunningService,
  SECRET,
  startService,
  temporaryFolder,
} from '@svc/testkit/service/processes/processes.ts';
import {
  createWithFullSegment,
  listSegments,
  removePreparedSegments,
} from '@svc/testkit/service/stores/full-segment.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const TRACE_FILES = fileURLToPath(new URL('../../testkit/service/processes/trace-files.cjs', import.meta.url));
const ANSWERED_WITHIN_MS = 10_000;
const ENDED_WITHIN_MS = 25_000;

let trace: string;
let pipe: string;
let first: FirstProgram;
let service: RunningService;
let segments: { before: string[]; after: string[] };

beforeAll(async () => {
  const folder = await temporaryFolder();
  [trace, pipe] = [join(folder, 'trace'), join(folder, 'pipe')];
  const env = { SVC_DATA_DIR: join(folder, 'data'), SVC_SECRET: SECRET, SVC_RATE_LIMITS: 'click=100000000' };
  const store = join(env.SVC_DATA_DIR, 'postgres');
  // The tests write to two segments of the log.
  await createWithFullSegment(store, 3_000_000, async (db) => {
    const before = await listSegments(store);
    for (let written = 0; written < 3; written += 1) {
      await db.query(`select pg_logical_emit_message(true, 'test', repeat('x', 10000000))`);
    }
    await db.query('select 1');
    segments = { before, after: await listSegments(store) };
  });
  const traced = { NODE_OPTIONS: `--require=${TRACE_FILES}`, SVC_TEST_TRACE: trace, SVC_TEST_HANG: pipe };
  service = await startService({ ...env, ...traced });
  await removePreparedSegments(store);
  first = await setUp(env);
});

/** Sends a click that can be found in the log of the store. */
async function click(name: string): Promise<{ status: number; body: unknown; seconds: number }> {
  const startedAt = performance.now();
  const page = `https://acme.test/?aff=${first.short_link}&page=~${name}~${randomBytes(1_000).toString('base64url')}`;
  const response = await fetch(`${service.url}/api/v1/track/click`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': name },
    body: JSON.stringify({ affiliate_url: page }),
  });
  return { status: response.status, body: await response.json(), seconds: (performance.now() - startedAt) / 1000 };
}

const readyz = async () => {
  const response = await fetch(`${service.url}/readyz`);
  return { status: response.status, body: (await response.json()) as { message?: string } };
};

async function untilReadyz(expected: number): Promise<void> {
  const status = await eventually(
    async () => (await readyz()).status,
    (answered) => answered === expected,
  );
  expect(status).toBe(expected);
}

type Line = { is: string; what: string; more: string[]; at: number };

async function traced(): Promise<Line[]> {
  const lines = (await readFile(trace, 'utf8')).trimEnd().split('\n');
  return lines.map((line, at) => {
    const [is = '', what = '', ...more] = line.split(' ');
    return { is, what, more, at };
  });
}

it('the log of the embedded store is kept short by checkpoints', () => {
  expect(segments.before.length).toBeGreaterThan(0);
  expect(segments.after.filter((name) => segments.before.includes(name))).toEqual([]);
});

describe('a click in the embedded store', () => {
  it('is answered after everything that was written to the log has been flushed, if it comes alone', async () => {
    const names = Array.from({ length: 10 }, (_, index) => String(100 + index));
    for (const name of names) expect(await click(name)).toMatchObject({ status: 200 });
    const lines = await traced();
    for (const name of names) {
      const answer = lines.find(({ is, what }) => is === 'answer' && what === name);
      expect(answer).toBeDefined();
      const before = lines.slice(0, answer?.at);
      const written = before.findLast(({ is, more }) => is === 'write' && more.includes(`~${name}~`));
      const lastWrite = before.findLast(({ is }) => is === 'write');
      const flushed = before.findLast(({ is, what }) => is === 'flush' && what === lastWrite?.what);
      expect(written?.what).toMatch(/^[0-9A-F]{24}$/);
      expect(flushed?.at).toBeGreaterThan(lastWrite?.at ?? Number.POSITIVE_INFINITY);
    }
  });

  it('is answered after a flush of the segment it was written to, among others and across segments', async () => {
    let names: string[] = [];
    let lines: Line[] = [];
    const written = () => {
      const writes = lines.filter(({ is, more }) => is === 'write' && more.length > 0);
      return new Set(writes.map(({ what }) => what));
    };
    for (let round = 1; round <= 20 && written().size < 2; round += 1) {
      const more = Array.from({ length: 100 }, (_, index) => String(1_000 * round + index));
      names = [...names, ...more];
      await sendTogether(more);
      lines = await traced();
    }

    expect(written().size).toBe(2);
    for (const name of names) {
      const write = lines.find(({ is, more }) => is === 'write' && more.includes(`~${name}~`));
      const answered = lines.find(({ is, what }) => is === 'answer' && what === name);
      expect(answered).toBeDefined();
      // A name that is split by the end of a page cannot be found.
      if (!write) continue;
      const between = lines.slice(write.at, answered?.at);
      expect(between.filter(({ is, what }) => is === 'flush' && what === write.what).length).toBeGreaterThan(0);
    }
    const created = lines.find(({ is, what }) => is === 'rename' && written().has(what));
    const firstUse = lines.find(({ is, what, at }) => is === 'write' && what === created?.what && at > created.at);
    const folder = lines.find(({ is, at }) => is === 'flush-folder' && at > (created?.at ?? 0));
    expect(folder?.at).toBeLessThan(firstUse?.at ?? 0);
  });
});

async function sendTogether(names: string[]): Promise<void> {
  const waiting = [...names];
  const send = async () => {
    for (let name = waiting.pop(); name; name = waiting.pop()) expect(await click(name)).toMatchObject({ status: 200 });
  };
  await Promise.all(Array.from({ length: 16 }, send));
}

describe('a disk that does not answer', () => {
  const hang = () => execFileSync('mkfifo', [pipe]);
  /** Opens the other end of the pipe once the service waits at this one. */
  const goOn = async () => {
    await eventually(
      () => {
        try {
          closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
          return true;
        } catch {
          return false;
        }
      },
      (isOpened) => isOpened,
    );
    await rm(pipe);
  };
  const failed = { status: 500, name: 'InternalServerError', message: 'Click tracking failed', details: {} };

  it('makes requests fail within ten seconds, and is in use again as soon as it answers', async () => {
    hang();
    const inFlight = click('in-flight');
    await untilReadyz(503);
    const answers = [await inFlight, await click('refused')];
    for (const { seconds } of answers) expect(seconds * 1000).toBeLessThan(ANSWERED_WITHIN_MS);
    // A job of the service may have met the hung disk first. The click then waits for its turn instead, and is told to retry.
    expect([failed.status, 503]).toContain(answers[0]?.status);
    expect(answers[1]).toMatchObject({ status: failed.status, body: { data: null, error: failed } });
    expect(await readyz()).toMatchObject({ status: 503, body: { message: expect.stringMatching(/has not answered/) } });
    await goOn();
    await untilReadyz(200);
    await service.untilPrinted('works again');
    expect(await click('2000')).toMatchObject({ status: 200 });
    const lines = service.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string });
    // The store reports it once. Background work that met the hung disk reports that it will be retried.
    const errors = lines.filter(({ level }) => level >= 50).map(({ msg }) => msg);
    const ofTheStore = errors.filter((msg) => !/; (?:retrying|it will be retried)$/.test(msg));
    expect(ofTheStore).toEqual([expect.stringMatching(/has not answered/)]);
    expect(lines.at(-1)?.msg).toBe('The embedded store works again');
  });

  it('does not keep the process from ending on SIGTERM', async () => {
    hang();
    const inFlight = click('in-flight').catch(() => undefined);
    await untilReadyz(503);
    service.child.kill('SIGTERM');
    const { stdout } = await service.untilEnded(ENDED_WITHIN_MS);
    // Had it not ended by itself, there would be no such line.
    expect(stdout).toMatch(/could not stop by itself/);
    await inFlight;
    expect(existsSync(pipe)).toBe(true);
  });
});
