import { freePort } from '@svc/testkit';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newHome, useCommand } from '../test/command.ts';
import { answer, cutOff, Gateway, tooMany } from '../test/gateway.ts';
import { theService } from '../test/service.ts';
import { signedIn, TERMS } from '../test/signed-in.ts';

const command = useCommand();
const service = theService();
let home = '';
let cwd = '';
let gateway: Gateway;

beforeAll(async () => {
  home = await newHome(command);
  cwd = await command.folder();
  await signedIn(command, service, home);
  await command.run(['init', '--json', '--no-interactive', '--api-url', service.url, ...TERMS], { home, cwd });
});
beforeEach(async () => {
  gateway = new Gateway(service.url);
  await gateway.open();
});
afterEach(() => gateway.close());

const throughGateway = (...args: string[]) => command.run([...args, '--api-url', gateway.url], { home, cwd });

describe('an unreachable service', () => {
  it('is retried with a visible delay until it is back', async () => {
    const port = await freePort();
    const status = command.start(['status', '--json', '--api-url', `http://127.0.0.1:${port}`], { home, cwd });
    await status.says(/No response from http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Retrying in 1 s\./);
    const back = new Gateway(service.url);
    await back.open(port);
    const { code, json } = await status.ended;
    back.close();
    expect(code).toBe(0);
    expect(json).toMatchObject({ name: 'Acme' });
  });

  it('soon causes an error for a command that reads, with a message, JSON and no stack trace', async () => {
    const port = await freePort();
    const { code, json, stderr } = await command.run(['status', '--json', '--api-url', `http://127.0.0.1:${port}`], {
      home,
      cwd,
    });
    expect(code).toBe(1);
    expect(json.error).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('Cannot reach the service'),
    });
    expect(stderr.match(/Retrying in \d s/g)).toEqual(['Retrying in 1 s']);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('is retried after a dropped GET request', async () => {
    gateway.faults.push(cutOff);
    const { code, stderr } = await throughGateway('status');
    expect(code).toBe(0);
    expect(stderr).toMatch(/Retrying in 1 s/);
    expect(gateway.seen).toHaveLength(2);
  });

  it('is not retried after a dropped request to create a program, which could create two', async () => {
    await signedIn(command, service, home, gateway.url);
    gateway.seen.length = 0;
    gateway.faults.push(cutOff);
    const fresh = await command.folder();
    const flags = ['--json', '--no-interactive', '--api-url', gateway.url];
    const { code, json } = await command.run(['init', ...flags, ...TERMS], { home, cwd: fresh });
    expect(code).toBe(1);
    expect(json.error.hint).toContain('svc programs');
    expect(gateway.seen).toEqual(['POST /api/v1/cli/init']);
  });
});

describe('a busy service', () => {
  it('is retried after the Retry-After of a 429, with a message', async () => {
    gateway.faults.push(tooMany(2));
    const { code, json, stderr } = await throughGateway('status', '--json');
    expect(code).toBe(0);
    expect(json).toMatchObject({ name: 'Acme' });
    expect(stderr).toBe('Too many requests. Retrying in 2 s.\n');
  });

  it('is not retried after a 429 with a long Retry-After, but the message says when to try again', async () => {
    gateway.faults.push(tooMany(2400, 'Too many synthetic chains (max 10/program/hour).'));
    const { code, json, stderr } = await throughGateway('test', 'chain', '--json');
    expect(code).toBe(1);
    expect(json.error).toMatchObject({ status: 429, code: 'rate_limited', retry_after_seconds: 2400 });
    expect(stderr).toContain('Try again in 40 minutes.');
  });

  it('is retried silently with --quiet', async () => {
    gateway.faults.push(tooMany(1));
    const { code, stdout, stderr } = await throughGateway('status', '--quiet');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Acme');
  });
});

describe('a URL that is not the service', () => {
  it('is recognized by its response, with a hint about the URL', async () => {
    gateway.faults.push(answer(404, '<h1>Not here</h1>', 'text/html'));
    const { code, stderr } = await throughGateway('status');
    expect(code).toBe(1);
    expect(stderr).toMatch(/returned 404 \(text\/html\), which is not a response from this service/);
    expect(stderr).toContain('--api-url');
  });

  it('is recognized even if it returns 200', async () => {
    gateway.faults.push(answer(200, '{"hello":"world"}'));
    const { code, stderr } = await throughGateway('status');
    expect(code).toBe(1);
    expect(stderr).toContain('which is not a response from this service');
  });
});
