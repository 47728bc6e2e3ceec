import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@svc/testkit';
import { curlCommands } from '@svc/testkit/service/processes/curl.ts';
import {
  operator,
  type RunningService,
  SECRET,
  startService,
  temporaryFolder,
} from '@svc/testkit/service/processes/processes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The operator's command line on an installation with the embedded store, with the service running and without. */
const env = { SVC_DATA_DIR: '' };
let service: RunningService;
/** What `setup` printed before the service was started. */
let madeBefore: { api_key: string; program_id: number };
beforeAll(async () => {
  env.SVC_DATA_DIR = join(await temporaryFolder(), 'data');
  madeBefore = JSON.parse(await printed('setup', '--json', '--link', 'offline'));
  service = await startService(env);
});
afterAll(() => service?.end());

async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await operator(env, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const readiness = (key: string) =>
  fetch(`${service.url}/api/v1/programs/me/readiness`, { headers: { authorization: `Bearer ${key}` } });

describe('while the service runs', () => {
  it('setup prints commands that work as printed, and explain shows their outcome', async () => {
    const text = await printed('setup', '--link', 'printed', '--domain', 'acme.test', '--name', 'Acme');
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
    const explained = await printed('explain', '--program', programId, '--transaction', 'order_1');
    expect(explained).toMatch(
      /sale recorded \(sale_attributed\)[\s\S]*refund recorded \(commission_partially_reversed\)/,
    );
  });

  it('--json prints data and nothing else; a regenerated key replaces the old one immediately', async () => {
    const { api_key: old, program_id: id } = JSON.parse(await printed('setup', '--json'));
    expect((await readiness(old)).status).toBe(200);
    const made = JSON.parse(await printed('regenerate-key', '--program', String(id), '--json'));
    expect(made).toMatchObject({ program_id: id, api_key: expect.stringMatching(/^svc_key_/) });
    expect((await readiness(old)).status).toBe(401);
    expect((await readiness(made.api_key)).status).toBe(200);
  });

  it('a command that fails exits with 1 and one line from the service', async () => {
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
    expect(await printed('list-owed', '--json')).toBe('[]\n');
  });
});

describe('while no service runs', () => {
  it('a command works on the store directly, and the service sees the result', async () => {
    const { api_key: key, program_id: id } = madeBefore;
    expect(await (await readiness(key)).json()).toMatchObject({ program_id: id });
  });

  it('a missing required option exits with 1, and no store is created', async () => {
    const dataDir = join(await temporaryFolder(), 'never');
    const { code, stdout, stderr } = await operator({ SVC_DATA_DIR: dataDir }, 'regenerate-key', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe("error: required option '--program <id>' not specified\n");
  });

  it('an unreachable database makes it exit with 1 and one line, without the password', async () => {
    const url = `postgres://svc:my-password@127.0.0.1:${await freePort()}/svc`;
    const { code, stdout, stderr } = await operator({ DATABASE_URL: url, SVC_SECRET: SECRET }, 'list-owed', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).not.toContain('my-password');
  });
});
