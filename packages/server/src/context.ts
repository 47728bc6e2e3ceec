import type { Db } from './db/db.ts';

export type Log = {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
};

/** What every verb works with. Time is an argument, so that nothing depends on the clock of the machine. */
export type Context = { db: Db; now: () => Date; log: Log };
