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
  it('is held by one: others are refused until it is let go', async () => {
    const letGo = await holdDataFolder(folder, echo);
    await expect(holdDataFolder(folder, echo)).rejects.toThrow(DataFolderInUse);
    await expect(holdDataFolder(folder, echo)).rejects.toThrow(`Another process is using the data folder ${folder}`);
    await letGo();
    const letGoAgain = await holdDataFolder(folder, echo);
    await letGoAgain();
  });

  it('is made where it is missing, for its owner alone, like the socket in it', async () => {
    const dataDir = join(folder, 'a', 'b');
    const letGo = await holdDataFolder(dataDir, echo);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'control.sock'))).mode & 0o777).toBe(0o600);
    await letGo();
  });

  it('is free when a process that was killed left its socket behind', async () => {
    const path = controlSocketPath(folder);
    const killed = createServer();
    await new Promise<void>((resolve) => killed.listen(path, resolve));
    killed.close();
    const letGo = await holdDataFolder(folder, echo);
    expect(await runThroughSocket(folder, COMMAND)).toMatchObject({ ok: true });
    await letGo();
  });

  it('goes to one of several that take it at the same moment; the others are told that it is in use', async () => {
    for (let round = 0; round < 40; round += 1) {
      const dataDir = join(folder, String(round));
      const takers = await Promise.allSettled([1, 2, 3].map(() => holdDataFolder(dataDir, echo)));
      const held = takers.filter((taker) => taker.status === 'fulfilled');
      const refused = takers.filter((taker) => taker.status === 'rejected');
      for (const { value: letGo } of held) await letGo();
      expect(held).toHaveLength(1);
      for (const { reason } of refused) expect(reason).toBeInstanceOf(DataFolderInUse);
    }
  });

  it('whose path is too long for a socket is refused with the name of the setting', () => {
    expect(() => controlSocketPath(join(folder, 'x'.repeat(120)))).toThrow(/^SVC_DATA_DIR: /);
  });
});

describe('a command through the socket', () => {
  it('is run by the one who holds the folder, and its reply comes back whole', async () => {
    const letGo = await holdDataFolder(folder, echo);
    expect(await runThroughSocket(folder, COMMAND)).toEqual({ ok: true, text: 'explain', data: COMMAND.options });
    await letGo();
  });

  it('finds nobody when the folder is free, or not there', async () => {
    expect(await runThroughSocket(folder, COMMAND)).toBeNull();
    expect(await runThroughSocket(join(folder, 'none'), COMMAND)).toBeNull();
  });
});
