import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, which can be full. */
export type SmallDisk = {
  folder: string;
  /** Takes all room but so many bytes. */
  fill(bytesLeft?: number): void;
  /** Gives back what `fill` took. */
  makeRoom(): void;
  unmount(): void;
};

const CHUNK = Buffer.alloc(262_144);

const mounted = new Set<SmallDisk>();
process.on('exit', () => {
  for (const disk of mounted) disk.unmount();
});

/** Mounts a disk of this size. Throws where that is not possible: it takes root on Linux. */
export function mountSmallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'svc-small-disk-'));
  const filler = join(folder, 'filler');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  const disk: SmallDisk = {
    folder,
    fill(bytesLeft = 0) {
      const file = openSync(filler, 'w');
      try {
        while (freeBytes() > bytesLeft) writeSync(file, CHUNK, 0, Math.min(CHUNK.length, freeBytes() - bytesLeft));
      } catch (error) {
        // Somebody else took the last of it.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    unmount() {
      mounted.delete(disk);
      // Lazily, so that it succeeds while a killed process is still being removed.
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      rmdirSync(folder);
    },
  };
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  mounted.add(disk);
  return disk;
}

/** The same for tests, which say so and are left out where there is none. */
export function smallDiskOrNone(mebibytes: number): SmallDisk | null {
  try {
    return mountSmallDisk(mebibytes);
  } catch {
    console.warn('Skipped: a small file system cannot be mounted here (this needs root on Linux).');
    return null;
  }
}
