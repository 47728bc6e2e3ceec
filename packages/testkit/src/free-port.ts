import { randomInt } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ports that systems give to connections and to listeners that want any port, so that none of them takes it. */
const FROM = 12_000;
const TO = 32_000;

const RESERVED_FOR_MS = 3_600_000;
const reservations = join(tmpdir(), `svc-test-ports-${process.getuid?.() ?? 'all'}`);

/** A port on 127.0.0.1 that is free, and that no other test process is given for an hour. */
export async function freePort(): Promise<number> {
  await mkdir(reservations, { recursive: true });
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(FROM, TO);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`No free port was found between ${FROM} and ${TO}`);
}

/** The process that creates the file has the port: between this check and the start of a program, others look for ports too. */
async function reserve(port: number): Promise<boolean> {
  const file = join(reservations, String(port));
  try {
    await writeFile(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > RESERVED_FOR_MS) await rm(file, { force: true });
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
