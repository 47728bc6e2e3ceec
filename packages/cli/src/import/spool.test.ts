import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Spool } from './spool.ts';

const now = new Date('2026-01-02T03:04:05Z');
const page = { list: 'partners', parent: '', next: '/more', rows: ['x'.repeat(100)], unreadable: [] };

it('stops before lists that never end fill the disk, also after it was opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-spool-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'tool.jsonl');
  const open = () => Spool.open(path, 'account', now, 1_000);
  const spool = await open();
  await spool.add(page);
  const again = await open();
  const addAll = async () => {
    for (let count = 0; count < 10; count += 1) await again.add(page);
  };
  await expect(addAll()).rejects.toThrow('There is more to read than fits into');
  expect((await readFile(path, 'utf8')).length).toBeLessThanOrEqual(1_000);
  expect((await open()).pages).toHaveLength(again.pages.length);
});
