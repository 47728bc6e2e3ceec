import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder for the tests of a file, removed after them. */
export function useFolder(): { path: string } {
  const folder = { path: '' };
  beforeAll(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'svc-test-'));
  });
  afterAll(() => rm(folder.path, { recursive: true, force: true }));
  return folder;
}
