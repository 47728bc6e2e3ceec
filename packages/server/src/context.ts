import type { ArchivePlace } from './archive/archive-place.ts';
import type { Db } from './db/db.ts';
import type { MailQueue } from './mail/mail-queue.ts';

export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** What every verb works with. Time is an argument, so that nothing depends on the machine's clock. */
export type Context = {
  db: Db;
  now: () => Date;
  log: Log;
  /** Undefined where the installation sends no mail. */
  mail?: MailQueue | undefined;
  /** Where clicks of earlier months are. Undefined where none are archived. */
  archive?: ArchivePlace | undefined;
  /** Numbers what was announced. Undefined in commands of the operator: a running node does it for them. */
  announcer?: { wake(): void } | undefined;
};
