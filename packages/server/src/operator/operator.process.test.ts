import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlCommands } from '../../test/curl.ts';
import {
  buildIfMissing,
  operator,
  post,
  type RunningService,
  setUp,
  startService,
  temporaryFolder,
} from '../../test/processes.ts';
import { openEmbedded } from '../db/embedded.ts';

/** The operator on an installation with the embedded store, with the service running and without. */
const env = { SVC_DATA_DIR: '' };
beforeAll(async () => {
  buildIfMissing();
  env.SVC_DATA_DIR = join(await temporaryFolder(), 'data');
});

async function json(...args: string[]) {
  const { code, stdout, stderr } = await operator(env, ...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function words(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await operator(env, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Runs SQL on the embedded store while no process holds it. */
async function onStore(sql: string): Promise<void> {
  const db = await openEmbedded(join(env.SVC_DATA_DIR, 'postgres'));
  await db.query(sql).finally(() => db.close());
}

const readiness = (service: RunningService, key: string) =>
  fetch(`${service.url}/api/v1/programs/me/readiness`, { headers: { authorization: `Bearer ${key}` } });
const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * 86_400_000);

describe('while the service runs', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService(env);
  });
  afterAll(() => service?.end());

  it('setup prints commands that work as printed, and explain tells what became of them', async () => {
    const text = await words('setup', '--link', 'printed', '--domain', 'acme.test', '--name', 'Acme');
    const [, programId = ''] = /^Program (\d+) is ready/.exec(text) ?? [];
    const [, apiKey = ''] = /export SVC_API_KEY=(\S+)/.exec(text) ?? [];
    expect(text).toContain('?aff=printed');
    const values: Record<string, string> = { SVC_API_KEY: apiKey };
    const statuses = [];
    for (let index = 0; index < curlCommands(text, {}).length; index += 1) {
      const { method, path, headers, body } = curlCommands(text, values)[index]!;
      const response = await fetch(service.url + path, { method, headers, body });
      const answer = (await response.json()) as { click_id?: string };
      if (answer.click_id) values.click_id = answer.click_id;
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200]);

    expect(text).toContain(`explain --program ${programId} --transaction order_1`);
    const told = await words('explain', '--program', programId, '--transaction', 'order_1');
    expect(told).toMatch(/sale recorded \(sale_attributed\)[\s\S]*refund recorded \(commission_partially_reversed\)/);
    const decisions = await json('explain', '--program', programId, '--customer', 'user_1');
    expect(decisions.map(({ reason }: { reason: string }) => reason)).toEqual(
      expect.arrayContaining(['lead_recorded', 'sale_attributed']),
    );
    expect(await json('explain', '--program', programId, '--click', values.click_id ?? '')).toEqual(decisions);
    expect(await words('explain', '--program', programId, '--transaction', 'none')).toMatch(/^Nothing with this ID/);
  });

  it('setup --json prints the program, key, partner and link, and nothing else', async () => {
    expect(await json('setup', '--link', 'as-data', '--commission-type', 'fixed', '--commission-rate', '2.5')).toEqual({
      program_id: expect.any(Number),
      api_key: expect.stringMatching(/^svc_key_/),
      partner_id: expect.any(Number),
      short_link: 'as-data',
      domain: 'example.com',
    });
  });

  it('regenerate-key stops the old key at once', async () => {
    const { api_key: old, program_id: id } = await setUp(env);
    expect((await readiness(service, old)).status).toBe(200);
    const made = await json('regenerate-key', '--program', String(id));
    expect(made).toEqual({
      program_id: id,
      api_key: expect.stringMatching(/^svc_key_/),
      api_key_masked: `${made.api_key.slice(0, 12)}****${made.api_key.slice(-4)}`,
    });
    expect((await readiness(service, old)).status).toBe(401);
    expect((await readiness(service, made.api_key)).status).toBe(200);
    const text = await words('regenerate-key', '--program', String(id));
    const [newest = ''] = /svc_key_\S+/.exec(text) ?? [];
    expect((await readiness(service, newest)).status).toBe(200);
  });

  it('require-rotation makes every answer to the key warn', async () => {
    const { api_key: key, program_id: id } = await setUp(env);
    expect((await readiness(service, key)).headers.get('sunset')).toBeNull();
    const rotateBy = inDays(30);
    const marked = await json('require-rotation', '--program', String(id), '--by', rotateBy.toISOString());
    expect(marked).toEqual({
      api_key_masked: `${key.slice(0, 12)}****${key.slice(-4)}`,
      marked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      rotate_by: rotateBy.toISOString(),
    });
    const answer = await readiness(service, key);
    expect(answer.headers.get('sunset')).toBe(rotateBy.toUTCString());
    expect(await answer.json()).toMatchObject({ warnings: [{ rotate_by: rotateBy.toISOString() }] });
  });

  it('list-owed and repair-owed say when nothing is owed', async () => {
    expect(await words('list-owed')).toBe('No sale owes a commission.\n');
    expect(await json('list-owed')).toEqual([]);
    expect(await words('repair-owed')).toBe('No sale owes a commission.\n');
    expect(await json('repair-owed', '--sale', '999999')).toEqual([{ sale_id: 999_999, result: 'not_owing' }]);
  });

  it('what the operator did wrong is told by the service in one line', async () => {
    const { code, stdout, stderr } = await operator(env, 'regenerate-key', '--program', '999999', '--json');
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: 'There is no program 999999\n' });
  });

  it('the service survives nonsense on its control socket', async () => {
    const socketPath = join(env.SVC_DATA_DIR, 'control.sock');
    await new Promise<void>((resolve) => {
      const call = request({ socketPath, method: 'POST' }, (response) => response.resume().on('end', resolve));
      call.on('error', () => resolve()).end('this is not JSON');
    });
    await new Promise<void>((resolve) => {
      const cut = connect(socketPath, () => {
        cut.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{', () => cut.destroy());
      });
      cut.on('error', () => resolve()).on('close', () => resolve());
    });
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect(await json('list-owed')).toEqual([]);
  });
});

describe('while the service is stopped', () => {
  it('setup, regenerate-key, require-rotation and explain work on the store itself', async () => {
    const made = await json('setup', '--link', 'offline');
    const program = ['--program', String(made.program_id)];
    const { api_key: key } = await json('regenerate-key', ...program);
    const rotateBy = inDays(2);
    expect(await json('require-rotation', ...program, '--by', rotateBy.toISOString())).toMatchObject({
      rotate_by: rotateBy.toISOString(),
    });
    expect(await words('explain', ...program, '--customer', 'nobody')).toMatch(/^Nothing with this ID/);

    const service = await startService(env);
    const answer = await readiness(service, key);
    await service.end();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('sunset')).toBe(rotateBy.toUTCString());
  });

  it('a sale that owes its commission is listed and repaired, with the service running and without', async () => {
    await onStore(`
      create function refuse_commission() returns trigger language plpgsql as
        $$ begin raise exception 'commissions are closed'; end $$;
      create trigger refuse_commission before insert on commissions
        for each row execute function refuse_commission()`);
    const service = await startService(env);
    const { api_key: key, program_id: id, short_link: link } = await setUp(env);
    const track = (route: string, body: object) => post(`${service.url}/api/v1/track/${route}`, body, key);
    const { body } = await track('click', { affiliate_url: `https://example.com/?aff=${link}` });
    const sale = await track('sale', { transaction_id: 'order-owed', amount_cents: 5000, click_id: body.click_id });
    expect(sale).toMatchObject({ status: 500, body: { error: { message: 'Failed to create commission' } } });

    const [owed] = await json('list-owed');
    expect(owed).toMatchObject({ transactionId: 'order-owed', programId: id, amountCents: 5000, currency: 'USD' });
    const [failed] = await json('repair-owed');
    expect(failed).toEqual({ sale_id: owed.id, result: expect.stringMatching(/^failed: /) });
    await service.end();

    expect(await json('list-owed')).toHaveLength(1);
    await onStore('drop function refuse_commission cascade');
    expect(await json('repair-owed', '--sale', String(owed.id))).toEqual([{ sale_id: owed.id, result: 'repaired' }]);
    const told = await words('explain', '--program', String(id), '--transaction', 'order-owed');
    expect(told).toMatch(/\(commission_failed\)[\s\S]*\(commission_repaired\)/);
  });
});
