import { chmod, mkdir, unlink } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect } from 'node:net';
import { join, relative } from 'node:path';

/**
 * The embedded store can be opened by one process only. While the service holds it, this socket in the data folder takes
 * operator commands for it; that it answers is also the sign that the folder is in use.
 */
export function controlSocketPath(dataDir: string): string {
  const path = relative(process.cwd(), join(dataDir, 'control.sock')) || join(dataDir, 'control.sock');
  if (Buffer.byteLength(path) > 100) {
    throw new Error(`SVC_DATA_DIR: the path is too long for a socket in it (${path}); choose a shorter one`);
  }
  return path;
}

export class DataFolderInUse extends Error {}

export type ControlRequest = { command: string; options: Record<string, unknown> };
export type ControlReply = { ok: boolean; text: string; data?: unknown };

/** Takes the data folder for this process. Throws when another process answers on its socket. */
export async function holdDataFolder(
  dataDir: string,
  run: (request: ControlRequest) => Promise<ControlReply>,
): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = controlSocketPath(dataDir);
  if (await isAnswering(path)) {
    throw new DataFolderInUse(`Another process is using the data folder ${dataDir}. Stop it, or set SVC_DATA_DIR.`);
  }
  await unlink(path).catch(() => undefined);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = await run(JSON.parse(Buffer.concat(chunks).toString()) as ControlRequest);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(reply));
  });
  await listen(server, path);
  await chmod(path, 0o600);
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** Runs a command in the process that holds the data folder; null when nobody does. */
export async function runThroughSocket(dataDir: string, command: ControlRequest): Promise<ControlReply | null> {
  const path = controlSocketPath(dataDir);
  if (!(await isAnswering(path))) return null;
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath: path, method: 'POST', path: '/' }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve(JSON.parse(Buffer.concat(chunks).toString()) as ControlReply);
    });
    request.on('error', reject).end(JSON.stringify(command));
  });
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
