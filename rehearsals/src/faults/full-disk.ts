import { chownSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@svc/server/db/db';
import { mountSmallDisk } from '@svc/testkit';
import type { Program } from '../shop/programs.ts';
import { type RunOptions, scaled } from './run-options.ts';
import { type Outcome, type Scene, stage } from './scene.ts';

const SIZE_MIB = 512;
const MIB = 1_048_576;
/** Less than a segment of the log needs. */
const ALMOST_FULL_MIB = 14;
const NOTICED_MS = 120_000;
const FULL_MS = 3_000;
const TIMES_FULL = 3;
/** What could not be counted for lack of room is counted by a job that runs every ten seconds. */
const REBUILT_MS = 15_000;
/** Fills the log, so that a new segment of it is due soon. */
const LONG_CLICKS = {
  page_url: `https://example.com/${'p'.repeat(1_900)}`,
  referrer_url: `https://example.com/${'r'.repeat(1_900)}`,
  page_title: 't'.repeat(1_000),
};

/** Why the disk cannot be filled here, if it cannot. */
export function missingFileSystem(): string | null {
  try {
    mountSmallDisk(1).unmount();
    return null;
  } catch (error) {
    const [reason] = (error as Error).message.trim().split('\n').slice(-1);
    return `a small file system cannot be mounted, which takes root on Linux (${reason})`;
  }
}

/** Fills the disk of the embedded store: a part of a segment is left, nothing is left, and a start finds it full. */
export async function fillDisk(options: RunOptions): Promise<Outcome> {
  const disk = mountSmallDisk(SIZE_MIB);
  try {
    const problems: string[] = [];
    const embedded = { ...options, store: 'embedded' as const, folder: disk.folder, clickDetails: LONG_CLICKS };
    const outcome = await stage(embedded, async (scene) => {
      for (const fault of [{ leftMib: ALMOST_FULL_MIB }, { leftMib: 0 }, { leftMib: 0, isKilled: true }]) {
        await scene.serve(2_000);
        disk.fill(fault.leftMib * MIB);
        problems.push(...(await untilNoticed(scene)));
        await scene.serve(FULL_MS);
        if (fault.isKilled) await scene.kill();
        if (fault.isKilled) await scene.serve(2 * FULL_MS);
        disk.makeRoom();
        // A start that cannot write ends with a message, and the supervisor repeats it.
        await scene.recover(performance.now(), fault.isKilled ? scene.node.respawn : undefined);
      }
      await scene.serve(REBUILT_MS);
      await scene.operate('repair-owed');
      return 'disk full 3 times: at a new segment of the log, for data, and with a kill -9 and a start meanwhile';
    });
    return { ...outcome, problems: [...outcome.problems, ...problems] };
  } finally {
    disk.unmount();
  }
}

/** Fills the disk that a Postgres server has its tables on. Its log is on another one, without which it would not run. */
export async function fillDiskOfServer(options: RunOptions): Promise<Outcome> {
  const disk = mountSmallDisk(SIZE_MIB);
  const moveTables = async (db: Db, programs: Program[]) => {
    await moveToDisk(db, disk.folder);
    return programs;
  };
  try {
    const problems: string[] = [];
    const outcome = await stage({ ...options, store: 'postgres', prepare: moveTables }, async (scene) => {
      const times = scaled(TIMES_FULL, options);
      for (let count = 0; count < times; count += 1) {
        await scene.serve(2_000, 3_000);
        disk.fill();
        problems.push(...(await untilNoticed(scene)));
        await scene.serve(FULL_MS);
        disk.makeRoom();
        await scene.recover(performance.now());
      }
      await scene.serve(REBUILT_MS);
      await scene.operate('repair-owed');
      return `disk of the tables full ${times} times`;
    });
    return { ...outcome, problems: [...outcome.problems, ...problems] };
  } finally {
    disk.unmount();
  }
}

/** Moves the database to another disk, with what it writes for a while. */
async function moveToDisk(db: Db, folder: string): Promise<void> {
  const [server] = await db.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  const { uid, gid } = statSync(server?.folder ?? '');
  chownSync(folder, uid, gid);
  await db.query(`create tablespace small location '${folder}'`);
  for (const kind of ['table', 'index']) {
    await db.query(`alter ${kind} all in tablespace pg_default set tablespace small`);
  }
  for (const setting of ['default_tablespace', 'temp_tablespaces']) {
    await db.query(`alter system set ${setting} = small`);
  }
  await db.query('select pg_reload_conf()');
}

/** Waits until the service says that it is not ready. Returns what is wrong with how it says so. */
async function untilNoticed({ node }: Scene): Promise<string[]> {
  const deadline = performance.now() + NOTICED_MS;
  while (performance.now() < deadline) {
    const { status, message } = await readinessOf(node.url);
    if (status === 503) return /disk .* full/.test(message) ? [] : [`/readyz does not name the full disk: ${message}`];
    await sleep(100);
  }
  return ['/readyz answers 200 while the disk is full'];
}

async function readinessOf(url: string): Promise<{ status: number; message: string }> {
  const response = await fetch(`${url}/readyz`);
  const { message } = (await response.json()) as { message?: string };
  return { status: response.status, message: message ?? '' };
}
