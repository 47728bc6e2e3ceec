import { open, rm, statfs } from 'node:fs/promises';

const CHUNK = Buffer.alloc(1_048_576);

/** Whether the message of an error says that the disk, or the user's share of it, is full. */
export function isDiskFull(message: string): boolean {
  return /no space left|disk full|quota exceeded/i.test(message);
}

/**
 * Whether this many MiB can be written beside `folder`. Only writing shows it where quotas apply, but a disk that is known to
 * be full is left alone.
 */
export async function hasRoom(folder: string, mebibytes: number): Promise<boolean> {
  const path = `${folder}.room`;
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < mebibytes * CHUNK.length) return false;
    const file = await open(path, 'w', 0o600);
    try {
      for (let written = 0; written < mebibytes; written += 1) await file.write(CHUNK);
      await file.sync();
    } finally {
      await file.close();
    }
    return true;
  } catch {
    return false;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
