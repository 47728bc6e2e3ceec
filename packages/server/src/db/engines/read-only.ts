import { DbError } from '../db.ts';

/** A standby, a server that was told to be read-only, or a provider's whose disk is nearly full. */
export const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`;

export const READ_ONLY =
  'The database server is read-only: it is a standby, or its disk is nearly full. Nothing can be written.';

const STATE = '25006';

export const readOnlyError = () => new DbError('the server is read-only', STATE);

export const isReadOnlyError = (error: unknown) => error instanceof DbError && error.sqlState === STATE;
