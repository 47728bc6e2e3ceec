import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOptions } from './run-options.ts';
import { type Outcome, type Scene, stage } from './scene.ts';

const SIZE_MIB = 512;
const MIB = 1_048_576;
/** Less than a segment of the log needs. */
const ALMOST_FULL_MIB = 14;
const NOTICED_MS = 120_000;
const FULL_MS = 3_000;
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
    unmount(mountSmall(1));
    return null;
  } catch (error) {
    const [reason] = (error as Error).message.trim().split('\n').slice(-1);
    return `a small file system cannot be mounted, which takes root on Linux (${reason})`;
  }
}

/** Fills the disk of the embedded store: a part of a segment is left, nothing is left, and a start finds it full. */
export async function fillDisk(options: RunOptions): Promise<Outcome> {
  const folder = mountSmall(SIZE_MIB);
  try {
    const problems: string[] = [];
    const outcome = await stage({ ...options, store: 'embedded', folder, clickDetails: LONG_CLICKS }, async (scene) => {
      for (const fault of [{ leftMib: ALMOST_FULL_MIB }, { leftMib: 0 }, { leftMib: 0, isKilled: true }]) {
        await scene.serve(2_000);
        fill(folder, fault.leftMib);
        problems.push(...(await untilNoticed(scene)));
        await scene.serve(FULL_MS);
        if (fault.isKilled) await scene.kill();
        if (fault.isKilled) await scene.serve(2 * FULL_MS);
        makeRoom(folder);
        // A start that cannot write ends with a message, and the supervisor repeats it.
        await scene.recover(performance.now(), fault.isKilled ? scene.node.respawn : undefined);
      }
      await scene.serve(REBUILT_MS);
      await scene.operate('repair-owed');
      return 'disk full 3 times: at a new segment of the log, for data, and with a kill -9 and a start meanwhile';
    });
    return { ...outcome, problems: [...outcome.problems, ...problems] };
  } finally {
    unmount(folder);
  }
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

const fillerIn = (folder: string) => join(folder, 'filler');

/** Writes a file until only this much is left. */
function fill(folder: string, leftMib: number): void {
  const file = openSync(fillerIn(folder), 'w');
  const chunk = Buffer.alloc(MIB / 4);
  try {
    while (freeBytes(folder) > leftMib * MIB) writeSync(file, chunk, 0, Math.min(chunk.length, freeBytes(folder)));
  } catch (error) {
    // Somebody else took the last of it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function makeRoom(folder: string): void {
  rmSync(fillerIn(folder));
}

const mounted = new Set<string>();
process.on('exit', () => {
  for (const folder of mounted) unmount(folder);
});

function mountSmall(mebibytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-small-disk-'));
  const args = ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder];
  try {
    execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  mounted.add(folder);
  return folder;
}

/** Lazily, so that it succeeds while a killed process is still being removed. */
function unmount(folder: string): void {
  mounted.delete(folder);
  execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  rmdirSync(folder);
}
