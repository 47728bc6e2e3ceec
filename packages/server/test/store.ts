import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The settings of an empty store of the kind this test run is about. */
export async function emptyStore(): Promise<Record<string, string>> {
  return process.env.SVC_TEST_STORE === 'postgres'
    ? { DATABASE_URL: await emptyPostgres() }
    : { SVC_DATA_DIR: 'memory://' };
}

/** The URL of a new database on the real Postgres of this test run. */
export async function emptyPostgres(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
