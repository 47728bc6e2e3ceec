import { chmod, open, rm, stat } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivate } from '../db/engines/private-folder.ts';
import { ExpectedError } from '../expected-error.ts';
import type { Report } from './command.ts';

const LOCK_WAIT_MS = 20;
const LOCK_STALE_MS = 10_000;

/**
 * Only one process can open the embedded store. While the service has it open, this socket in the data folder accepts
 * operator commands. A data folder whose socket answers is in use.
 */
export function controlSocketPath(dataDir: string): string {
  const path = relative(process.cwd(), join(dataDir, 'control.sock')) || join(dataDir, 'control.sock');
  if (Buffer.byteLength(path) > 100) {
    throw new ExpectedError(`SVC_DATA_DIR: choose a shorter path; a socket in ${path} would exceed the system limit`);
  }
  return path;
}

export class DataFolderInUse extends ExpectedError {}

export type ControlRequest = { command: string; options: Record<string, unknown> };
type RunRequest = (request: ControlRequest, report: Report) => Promise<ControlReply>;
export type ControlReply = { ok: boolean; text: string; data?: unknown };

/** Claims the data folder for this process and returns how to release it. Throws when another process has it. */
export async function holdDataFolder(dataDir: string, run: RunRequest): Promise<() => Promise<void>> {
  makePrivate(dataDir);
  const path = controlSocketPath(dataDir);
  const server = createServer(async (request, response) => {
    // A line of JSON for each report, then one for the reply.
    const report = (line: string) => void response.write(`${JSON.stringify({ report: line })}\n`);
    const reply = await replyTo(request, run, report).catch((error: Error) => ({ ok: false, text: error.message }));
    response.end(`${JSON.stringify({ reply })}\n`);
  });
  await withLock(join(dataDir, 'control.lock'), async () => {
    if (await isAnswering(path)) {
      throw new DataFolderInUse(
        `Another process is using the data folder ${dataDir}. Stop it, or set SVC_DATA_DIR to another folder.`,
      );
    }
    await rm(path, { force: true });
    await listen(server, path);
    await chmod(path, 0o600);
  });
  return () => new Promise((resolve) => server.close(() => resolve()));
}

async function replyTo(request: IncomingMessage, run: RunRequest, report: Report): Promise<ControlReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return run(JSON.parse(Buffer.concat(chunks).toString()) as ControlRequest, report);
}

/** Runs a command in the process that holds the data folder. Returns null when there is none. */
export async function runThroughSocket(
  dataDir: string,
  command: ControlRequest,
  report: Report = () => {},
): Promise<ControlReply | null> {
  const path = controlSocketPath(dataDir);
  if (!(await isAnswering(path))) return null;
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath: path, method: 'POST', path: '/' }, async (response) => {
      for await (const line of createInterface({ input: response })) {
        const part = JSON.parse(line) as { report: string } | { reply: ControlReply };
        if ('report' in part) report(part.report);
        else resolve(part.reply);
      }
      reject(new ExpectedError('The service ended before the command was done.'));
    });
    request.on('error', reject).end(JSON.stringify(command));
  });
}

/** Lets one process at a time check and claim the folder, so that two cannot both find it free. */
async function withLock(lockPath: string, work: () => Promise<void>): Promise<void> {
  while (!(await takeLock(lockPath))) await sleep(LOCK_WAIT_MS);
  try {
    await work();
  } finally {
    await rm(lockPath, { force: true });
  }
}

async function takeLock(lockPath: string): Promise<boolean> {
  try {
    await (await open(lockPath, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // The lock is held for milliseconds. One this old was left by a process that died.
    const age = Date.now() - ((await stat(lockPath).catch(() => null))?.mtimeMs ?? Date.now());
    if (age > LOCK_STALE_MS) await rm(lockPath, { force: true });
    return false;
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => resolve());
  });
}

function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
