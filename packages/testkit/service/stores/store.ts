import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The URL of a new database with the schema, on the real Postgres server of this test run. */
export const newPostgres = () => createDatabase(inject('postgresTemplate'));

/** The URL of a new database without a schema, for tests of migrations. */
export const emptyPostgres = () => createDatabase('template1');

async function createDatabase(template: string): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Copying files takes a third of the work of logging every page.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  return url.href;
}
