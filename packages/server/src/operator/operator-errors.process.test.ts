import { freePort } from '@svc/testkit';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildIfMissing, operator, SECRET, setUp, startService } from '../../test/processes.ts';
import { emptyPostgres } from '../../test/store.ts';

const env = { DATABASE_URL: '', SVC_SECRET: SECRET };
beforeAll(async () => {
  buildIfMissing();
  env.DATABASE_URL = await emptyPostgres();
  await setUp(env, '--link', 'taken');
});

/** How many advertisers, programs, keys, partners and links there are. */
async function everythingMade(): Promise<unknown> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  const tables = ['advertisers', 'programs', 'program_keys', 'partners', 'memberships', 'links'];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  const { rows } = await client.query(`select ${counts.join(', ')}`);
  await client.end();
  return rows[0];
}

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

describe('a command that cannot be done ends with 1, prints one line to stderr, and changes nothing', () => {
  it.each([
    [['setup', '--commission-type', 'barter'], '--commission-type must be one of percent, fixed,'],
    [['setup', '--commission-rate', '0'], '--commission-rate must be a positive number'],
    [['setup', '--commission-rate', '-5'], '--commission-rate must be a positive number'],
    [['setup', '--commission-rate', '1.23456'], '--commission-rate must be a positive number'],
    [['setup', '--link', 'taken'], 'The link "taken" already exists'],
    [['regenerate-key', '--program', 'one'], '--program must be a whole number above 0'],
    [['regenerate-key', '--program', '999999'], 'There is no program 999999'],
    [['regenerate-key', '--program', '99999999999999999999'], '--program must be a whole number above 0'],
    [['require-rotation', '--program', '1', '--by', 'soon'], '--by must be a time in the future'],
    [['require-rotation', '--program', '1', '--by', '2020-01-01T00:00:00Z'], '--by must be a time in the future'],
    [['require-rotation', '--program', '999999', '--by', tomorrow], 'Program 999999 has no active API key'],
    [['explain', '--program', '1'], 'Give --transaction, --customer or --click'],
    [['explain', '--program', '-1', '--customer', 'a'], '--program must be a whole number above 0'],
    [['repair-owed', '--sale', 'first'], '--sale must be a whole number above 0'],
    [['regenerate-key'], "error: required option '--program <id>' not specified"],
    [['require-rotation', '--program', '1'], "error: required option '--by <time>' not specified"],
  ])('%j', async (args, message) => {
    const before = await everythingMade();
    const { code, stdout, stderr } = await operator(env, ...args, '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(await everythingMade()).toEqual(before);
  });

  it('setup with a rate that the store cannot hold', async () => {
    const before = await everythingMade();
    const { code, stderr } = await operator(env, 'setup', '--commission-rate', '9'.repeat(40));
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await everythingMade()).toEqual(before);
  });

  it('because the database does not answer', async () => {
    const DATABASE_URL = `postgres://svc:my-password@127.0.0.1:${await freePort()}/svc`;
    const { code, stdout, stderr } = await operator({ ...env, DATABASE_URL }, 'list-owed', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).not.toContain('my-password');
  });
});

describe('with a Postgres', () => {
  it('a key that the operator regenerates stops the old one on a running service within a second', async () => {
    const service = await startService(env);
    const { api_key: old, program_id: id } = await setUp(env);
    const status = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${service.url}/api/v1/programs/me/readiness`, { headers })).status;
    };
    expect(await status(old)).toBe(200);
    const { stdout } = await operator(env, 'regenerate-key', '--program', String(id), '--json');
    await vi.waitFor(async () => expect(await status(old)).toBe(401), 1000);
    expect(await status(JSON.parse(stdout).api_key)).toBe(200);
    await service.end();
  });
});
