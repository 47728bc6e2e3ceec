import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ControlReply,
  type ControlRequest,
  controlSocketPath,
  DataFolderInUse,
  holdDataFolder,
  runThroughSocket,
} from './control-socket.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const echo = async ({ command, options }: ControlRequest): Promise<ControlReply> => ({
  ok: true,
  text: command,
  data: options,
});
const COMMAND: ControlRequest = { command: 'explain', options: { program: '7', customer: 'Zoë' } };

describe('a data folder', () => {
  it('has one holder; others are refused until it is released', async () => {
    const release = await holdDataFolder(folder, echo);
    await expect(holdDataFolder(folder, echo)).rejects.toThrow(DataFolderInUse);
    await expect(holdDataFolder(folder, echo)).rejects.toThrow(`Another process is using the data folder ${folder}`);
    await release();
    const releaseAgain = await holdDataFolder(folder, echo);
    await releaseAgain();
  });

  it('is created if missing, and only its owner can access it and the socket', async () => {
    const dataDir = join(folder, 'a', 'b');
    const release = await holdDataFolder(dataDir, echo);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'control.sock'))).mode & 0o777).toBe(0o600);
    await release();
  });

  it('is free when a killed process has left its socket behind', async () => {
    const path = controlSocketPath(folder);
    const killed = createServer();
    await new Promise<void>((resolve) => killed.listen(path, resolve));
    killed.close();
    const release = await holdDataFolder(folder, echo);
    expect(await runThroughSocket(folder, COMMAND)).toMatchObject({ ok: true });
    await release();
  });

  it('goes to one of several that claim it at the same moment; the others get an error', async () => {
    for (let round = 0; round < 40; round += 1) {
      const dataDir = join(folder, String(round));
      const takers = await Promise.allSettled([1, 2, 3].map(() => holdDataFolder(dataDir, echo)));
      const held = takers.filter((taker) => taker.status === 'fulfilled');
      const refused = takers.filter((taker) => taker.status === 'rejected');
      for (const { value: release } of held) await release();
      expect(held).toHaveLength(1);
      for (const { reason } of refused) expect(reason).toBeInstanceOf(DataFolderInUse);
    }
  });

  it('whose path is too long for a socket is refused with the name of the setting', () => {
    expect(() => controlSocketPath(join(folder, 'x'.repeat(120)))).toThrow(/^SVC_DATA_DIR: /);
  });
});

describe('a command through the socket', () => {
  it('runs in the process that holds the folder, and its reply comes back complete', async () => {
    const release = await holdDataFolder(folder, echo);
    expect(await runThroughSocket(folder, COMMAND)).toEqual({ ok: true, text: 'explain', data: COMMAND.options });
    await release();
  });

  it('shows what it reports while it runs, before its reply', async () => {
    const release = await holdDataFolder(folder, async (request, report) => {
      for (const line of ['first', 'se\ncond']) report(line);
      return echo(request);
    });
    const seen: string[] = [];
    const reply = await runThroughSocket(folder, COMMAND, (line) => seen.push(line));
    expect(reply).toMatchObject({ ok: true, text: 'explain' });
    expect(seen).toEqual(['first', 'se\ncond']);
    await release();
  });

  it('returns null when the folder is free or missing', async () => {
    expect(await runThroughSocket(folder, COMMAND)).toBeNull();
    expect(await runThroughSocket(join(folder, 'none'), COMMAND)).toBeNull();
  });
});
