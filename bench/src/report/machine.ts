import { cpus, loadavg, platform, release, totalmem } from 'node:os';

// Read at the start, because later it includes the load of the run.
const loadBefore = loadavg()[0] ?? 0;

/** The machine and the versions of a run, one line per fact. */
export function machineFacts(postgresVersions: Record<string, string>): string[] {
  const cores = cpus();
  return [
    `Machine: ${cores.length} cores (${cores[0]?.model.trim() || process.arch}), ${Math.round(totalmem() / 1024 ** 3)} GiB memory, ${platform()} ${release()}`,
    `Node ${process.versions.node}; ${Object.entries(postgresVersions)
      .map(([store, version]) => `${store}: Postgres ${version}`)
      .join('; ')}`,
    `Load average before the run: ${loadBefore.toFixed(1)}${loadBefore > 0.5 ? ' (the machine was busy with other work)' : ''}`,
    `Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `Command: npm run bench${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}`,
  ];
}
