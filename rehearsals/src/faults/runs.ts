import { shiftClock } from './clock.ts';
import { fillDisk, fillDiskOfServer, missingFileSystem } from './full-disk.ts';
import { killService } from './kill.ts';
import { crashPostgres, pausePostgres } from './postgres.ts';
import { shuffleEvents } from './processor-events.ts';
import { loseRedis, missingRedis } from './redis.ts';
import type { RunOptions } from './run-options.ts';
import type { Outcome } from './scene.ts';

export type Run = {
  name: string;
  /** Names its row of the table. */
  title: string;
  run(options: RunOptions): Promise<Outcome>;
  /** Why the machine cannot do it; null if it can. */
  missing?: () => string | null;
};

export const RUNS: Run[] = [
  {
    name: 'kill-embedded',
    title: 'Service killed, embedded store',
    run: (options) => killService('embedded', options),
  },
  { name: 'kill-postgres', title: 'Service killed, Postgres', run: (options) => killService('postgres', options) },
  { name: 'postgres-crash', title: 'Postgres crashes', run: crashPostgres },
  { name: 'postgres-pause', title: 'Postgres hangs', run: pausePostgres },
  { name: 'redis', title: 'Redis away and hung', run: loseRedis, missing: missingRedis },
  { name: 'full-disk', title: 'Disk full, embedded store', run: fillDisk, missing: missingFileSystem },
  { name: 'full-disk-postgres', title: 'Disk full, Postgres', run: fillDiskOfServer, missing: missingFileSystem },
  { name: 'clock-embedded', title: 'Clock changed, embedded store', run: (options) => shiftClock('embedded', options) },
  { name: 'clock-postgres', title: 'Clock changed, Postgres', run: (options) => shiftClock('postgres', options) },
  {
    name: 'events-embedded',
    title: 'Processor events, embedded store',
    run: (options) => shuffleEvents('embedded', 1_500, options),
  },
  {
    name: 'events-postgres',
    title: 'Processor events, Postgres',
    run: (options) => shuffleEvents('postgres', 3_000, options),
  },
];
