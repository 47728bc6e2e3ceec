import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Queryable } from './db.ts';

/** Runs the sign-in library's queries on the service's store. The library uses no transactions. */
export function dialectOver(db: Queryable): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const rows = await db.query<Row>(sql, [...parameters]);
      return { rows, numAffectedRows: BigInt(rows.length) } as QueryResult<Row>;
    },
    streamQuery() {
      throw new Error('Streaming is not supported');
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

async function refuseTransaction(): Promise<never> {
  throw new Error('Transactions are not supported');
}
