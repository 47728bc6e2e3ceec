import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** Every log of the service writes errors like this one. */
export function createLog(options: LoggerOptions, destination: DestinationStream): Logger {
  return pino({ ...options, serializers: { err: describeError } }, destination);
}

type Described = { code?: unknown; constraint?: unknown; table?: unknown; errors?: unknown[] };

/** Errors of a database hold the connection, with its password, and the values of a row. Only what is listed here is logged. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, constraint, table, errors } = error as Described;
  return { type, message, stack, code, constraint, table, errors: errors?.map(describeError) };
}
