import { readdir, readFile } from 'node:fs/promises';
import type { Db } from '@svc/server/db/db';

const TICKS_PER_SECOND = 100;

/** The processor time that all processes of a Postgres server on this machine have used, in seconds. Linux only. */
export async function postgresCpuSeconds(db: Db): Promise<number> {
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid', []);
  const own = await statOf(row?.pid ?? 0);
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(statOf));
  const server = own?.parent;
  const ticks = all
    .filter((stat) => stat !== null && (stat.pid === server || stat.parent === server))
    // The postmaster counts what its ended children have used.
    .map((stat) => stat!.own + (stat!.pid === server ? stat!.children : 0));
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** The processor time that a process has used, in seconds. Linux only. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  return ((await statOf(pid))?.own ?? 0) / TICKS_PER_SECOND;
}

async function statOf(pid: string | number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number) => fields[index] ?? 0;
  return { pid: Number(pid), parent: at(1), own: at(11) + at(12), children: at(13) + at(14) };
}
