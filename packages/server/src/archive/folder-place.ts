import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveError, type ArchivePlace } from './archive-place.ts';

/** An archive in a folder, which every node that serves requests can read. */
export function createFolderPlace(folder: string): ArchivePlace {
  return {
    async write(path, bytes) {
      const target = join(folder, path);
      const unfinished = `${target}.${randomUUID()}.unfinished`;
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        const file = await open(unfinished, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, target);
        await syncFolder(dirname(target));
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw new ArchiveError('written', path, error);
      }
    },

    async read(path, start = 0, end) {
      try {
        const file = await open(join(folder, path), 'r');
        try {
          const length = (end ?? (await file.stat()).size) - start;
          const bytes = new Uint8Array(length);
          const { bytesRead } = await file.read(bytes, 0, length, start);
          if (bytesRead < length) throw new Error(`it has only ${start + bytesRead} bytes`);
          return bytes;
        } finally {
          await file.close();
        }
      } catch (error) {
        throw new ArchiveError('read', path, error);
      }
    },

    async has(path) {
      try {
        await stat(join(folder, path));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw new ArchiveError('looked for', path, error);
      }
    },

    async remove(path) {
      await rm(join(folder, path), { force: true }).catch((error) => {
        throw new ArchiveError('removed', path, error);
      });
    },
  };
}

/** Without this, a power failure could lose the name of a file whose contents are safe. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
