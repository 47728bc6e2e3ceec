import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@svc/testkit';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBinary } from '../../test/binary.ts';
import { newHome, useCommand } from '../../test/command.ts';
import { cutOff, Gateway } from '../../test/gateway.ts';
import { theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';

/** For what goes on until a signal ends it. What ends by itself runs from its sources, in this process. */
const binary = useBinary();
const command = useCommand();
const service = theService();
const receiver = useReceiver();
let home = '';

beforeAll(async () => {
  home = await newHome(command);
  await signedIn(command, service, home);
});

type Line = { sequence: number; type: string };

/** A folder with a new program, which has no events yet. */
async function newProject() {
  const cwd = await command.folder();
  const flags = ['--json', '--no-interactive', '--yes', '--api-url', service.url];
  const { code, stderr } = await command.run(['init', ...flags, ...TERMS], { home, cwd });
  expect([code, stderr]).toEqual([0, '']);
  const variables = async () => {
    const text = await readFile(join(cwd, '.svc/.env'), 'utf8');
    return Object.fromEntries(text.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  };
  const { SVC_API_KEY: key } = await variables();
  const lead = async () => {
    const customer = `user-${randomBytes(6).toString('hex')}`;
    const answer = await service.post(
      '/api/v1/track/lead',
      { customer_key: customer },
      { Authorization: `Bearer ${key}` },
    );
    expect(answer.status).toBe(200);
    return customer;
  };
  return { cwd, variables, lead };
}

/** Starts a command that goes on, whose lines on stdout can be waited for. */
function start(args: string[], cwd: string, env: Record<string, string> = {}) {
  const started = binary.start(args, { home, cwd, env });
  let stdout = '';
  const waiting = new Set<() => void>();
  const look = () => {
    for (const wake of waiting) wake();
  };
  started.child.stdout?.on('data', (chunk) => {
    stdout += chunk;
    look();
  });
  started.child.once('close', look);
  const lines = async (count: number) => {
    for (;;) {
      const whole = stdout.split('\n').slice(0, -1);
      if (whole.length >= count) return whole;
      if (started.child.exitCode !== null) throw new Error(`The command ended: ${(await started.ended).stderr}`);
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  };
  const interrupt = () => {
    started.child.kill('SIGINT');
    return started.ended;
  };
  return { ...started, lines, interrupt };
}

const newPath = () => `/${randomBytes(6).toString('hex')}`;

describe('svc listen', () => {
  it('forwards each event as it happens, signed like a webhook, and goes on after errors, until Ctrl-C', async () => {
    const { cwd, lead, variables } = await newProject();
    await lead();
    const path = newPath();
    receiver.answer(path, { status: 500 }, { status: 302, headers: { location: '/elsewhere' } }, { status: 204 });
    const listening = start(['listen', '--forward-to', receiver.url(path)], cwd);
    const [, secret = ''] = await listening.says(
      /Signing with (whsec_\S+), which is SVC_WEBHOOK_SECRET in \.svc\/\.env/,
    );
    await listening.says(/Forwarding events after 1 to .*\. Press Ctrl-C to stop\./);
    expect((await variables()).SVC_WEBHOOK_SECRET).toBe(secret);
    const customers = [];
    for (let count = 1; count <= 3; count += 1) {
      customers.push(await lead());
      await receiver.until(path, count);
    }
    expect(receiver.at('/elsewhere')).toEqual([]);
    const events = receiver.at(path).map(({ body, headers }) => {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      const event = JSON.parse(body);
      expect(headers['webhook-id']).toBe(event.id);
      return event;
    });
    // What happened before is not told.
    expect(events.map(({ sequence, type, data }) => [sequence, type, data.customer.customer_key])).toEqual([
      [2, 'lead.created', customers[0]],
      [3, 'lead.created', customers[1]],
      [4, 'lead.created', customers[2]],
    ]);
    const lines = await listening.lines(3);
    expect(
      lines.map((line) => /^ +(\d) {2}\S+Z {2}([\w.]+) +customer \d+ {2}-> (\d+) {2}\d+ ms$/.exec(line)?.slice(1)),
    ).toEqual([
      ['2', 'lead.created', '500'],
      ['3', 'lead.created', '302'],
      ['4', 'lead.created', '204'],
    ]);
    const { code, stderr } = await listening.interrupt();
    expect(code).toBe(0);
    expect(stderr).toContain('Stopped after event 4.');
    expect(stderr).not.toMatch(/\bat .*:\d+/);
  });

  it('sends the body as the feed has it, byte for byte', async () => {
    const { cwd, lead, variables } = await newProject();
    await lead();
    const path = newPath();
    const listening = start(['listen', '--forward-to', receiver.url(path), '--after', '0'], cwd);
    const [received] = await receiver.until(path, 1);
    const { SVC_API_KEY: key } = await variables();
    const feed = await fetch(`${service.url}/api/v1/events`, { headers: { authorization: `Bearer ${key}` } });
    expect(await feed.text()).toContain(received?.body);
    await listening.interrupt();
  });

  it('keeps its secret for the project, takes another one, a place to start, types, and prints JSON', async () => {
    const { cwd, lead, variables } = await newProject();
    for (let count = 0; count < 3; count += 1) await lead();
    const [first, second] = [newPath(), newPath()];
    const flags = ['--after', '1', '--types', 'lead.created,sale.created', '--json'];
    const listening = start(['listen', '--forward-to', receiver.url(first), ...flags], cwd);
    const shown = (await listening.lines(2)).map((line) => JSON.parse(line));
    expect(shown).toEqual([
      { event: expect.objectContaining({ sequence: 2 }), status: 204, error: null, duration_ms: expect.any(Number) },
      { event: expect.objectContaining({ sequence: 3 }), status: 204, error: null, duration_ms: expect.any(Number) },
    ]);
    await listening.interrupt();
    const { SVC_WEBHOOK_SECRET: kept = '' } = await variables();

    const again = start(['listen', '--forward-to', receiver.url(second)], cwd);
    await again.says(new RegExp(`Signing with ${kept.replace(/[+/]/g, '\\$&')},`));
    await again.says(/Forwarding events after 3/);
    await again.interrupt();

    const own = `whsec_${randomBytes(24).toString('base64')}`;
    const other = start(['listen', '--forward-to', receiver.url(second), '--secret', own, '--after', '2'], cwd);
    const [received] = await receiver.until(second, 1);
    new Webhook(own).verify(received!.body, received!.headers as Record<string, string>);
    await other.interrupt();
    expect((await variables()).SVC_WEBHOOK_SECRET).toBe(kept);
  });

  it('outlives a receiver that is not there, and a service that does not answer', async () => {
    const { cwd, lead, variables } = await newProject();
    const gateway = new Gateway(service.url);
    await gateway.open();
    const { SVC_API_KEY: key = '' } = await variables();
    const flags = ['--api-url', gateway.url, '--api-key', key, '--json'];
    const nobody = `http://127.0.0.1:${await freePort()}/hook`;
    const listening = start(['listen', '--forward-to', nobody, ...flags], cwd);
    await listening.says(/Forwarding events after 0/);
    gateway.faults.push(cutOff);
    await lead();
    await lead();
    const shown = (await listening.lines(2)).map((line) => JSON.parse(line));
    expect(shown.map(({ event, status, error }) => [event.sequence, status, error])).toEqual([
      [1, null, 'no answer (ECONNREFUSED)'],
      [2, null, 'no answer (ECONNREFUSED)'],
    ]);
    expect((await listening.interrupt()).code).toBe(0);
    gateway.close();
  });

  it.each<[string, string[], number, RegExp]>([
    ['no address', [], 2, /required option '--forward-to <url>' not specified/],
    ['an address that is none', ['--forward-to', 'localhost:3000'], 2, /--forward-to must be a web address/],
    [
      'a secret that is none',
      ['--forward-to', 'http://localhost:9', '--secret', 'whsec_%'],
      2,
      /is not a webhook secret/,
    ],
    [
      'a sequence that is none',
      ['--forward-to', 'http://localhost:9', '--after', 'now'],
      2,
      /--after must be the sequence/,
    ],
    ['a sequence to come', ['--forward-to', 'http://localhost:9', '--after', '900'], 1, /Invalid cursor/],
    [
      'an unknown type',
      ['--forward-to', 'http://localhost:9', '--types', 'sale.made'],
      1,
      /Unknown event type: sale\.made/,
    ],
  ])('says what is wrong with %s', async (_name, flags, code, message) => {
    const { cwd } = await sharedProject();
    const ended = await command.run(['listen', ...flags], { home, cwd });
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(message)]);
  });

  it('says how to get a key when there is none', async () => {
    const args = ['listen', '--forward-to', 'http://localhost:9', '--api-url', service.url];
    const { code, stderr } = await command.run(args, { home, cwd: await command.folder() });
    expect([code, stderr]).toEqual([1, expect.stringContaining('No program key found.')]);
  });
});

describe('svc trigger', () => {
  it('sends a made-up event to where listen forwarded to, with its secret, and leaves nothing behind', async () => {
    const { cwd, variables } = await newProject();
    const path = newPath();
    const listening = start(['listen', '--forward-to', receiver.url(path)], cwd);
    await listening.says(/Forwarding events after 0/);
    receiver.answer(path, { status: 204 }, { status: 500 });
    const fine = await binary.run(['trigger', 'sale.refunded'], { home, cwd });
    expect([fine.code, fine.stdout]).toEqual([
      0,
      expect.stringMatching(/^sale\.refunded {2}evt_[0-9a-f]{32} {2}-> 204 {2}\d+ ms\n$/),
    ]);
    const [received] = await receiver.until(path, 1);
    const { SVC_WEBHOOK_SECRET: secret = '', SVC_PROGRAM_ID: programId } = await variables();
    const event = new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>);
    expect(event).toMatchObject({
      type: 'sale.refunded',
      program_id: Number(programId),
      sequence: 0,
      data: { sale: { status: 'refunded' }, refund: { amount_cents: 4900, currency: 'USD' } },
    });
    const refused = await command.run(['trigger', 'sale.created', '--json'], { home, cwd });
    expect(refused).toMatchObject({ code: 1, json: { event: { type: 'sale.created' }, status: 500, error: null } });
    expect((await listening.interrupt()).stdout).toBe('');
    const { json } = await command.run(['events', '--json'], { home, cwd });
    expect(json).toEqual([]);
  });

  it('says what is wrong with its arguments', async () => {
    const cwd = await command.folder();
    const unknown = await command.run(['trigger', 'sale.made', '--forward-to', receiver.url('/')], { home, cwd });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("'sale.made' is invalid")]);
    const nowhere = await command.run(['trigger', 'sale.created'], { home, cwd });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('Pass --forward-to <url>.')]);
  });
});

describe('svc events', () => {
  it('prints the newest events, those after a sequence, and those of some types', async () => {
    const { cwd, lead } = await newProject();
    for (let count = 0; count < 4; count += 1) await lead();
    // Reading on from the first one waits until all are numbered.
    const following = start(['events', '--follow', '--after', '0', '--json'], cwd);
    await following.lines(4);
    await following.interrupt();
    const sequences = async (...flags: string[]) => {
      const { code, json } = await command.run(['events', '--json', ...flags], { home, cwd });
      expect(code).toBe(0);
      return json.map(({ sequence }: Line) => sequence);
    };
    expect(await sequences()).toEqual([1, 2, 3, 4]);
    expect(await sequences('--limit', '2')).toEqual([3, 4]);
    expect(await sequences('--after', '1', '--limit', '2')).toEqual([2, 3]);
    expect(await sequences('--types', 'lead.created', '--limit', '1')).toEqual([4]);
    expect(await sequences('--types', 'sale.created')).toEqual([]);
    const { stdout } = await command.run(['events', '--limit', '1'], { home, cwd });
    expect(stdout).toMatch(/^ {5}4 {2}\d{4}-\S+Z {2}lead\.created +customer \d+\n$/);
    const none = await command.run(['events', '--types', 'sale.created'], { home, cwd });
    expect([none.code, none.stdout]).toEqual([0, 'No events.\n']);
    const wrong = await command.run(['events', '--limit', '201'], { home, cwd });
    expect([wrong.code, wrong.stderr]).toEqual([2, '--limit must be a whole number from 0 to 200, not "201".\n']);
  });

  it('follows: the newest events, then each one that happens, as lines of JSON', async () => {
    const { cwd, lead } = await newProject();
    await lead();
    const following = start(['events', '--follow', '--json', '--after', '0'], cwd);
    await following.lines(1);
    await lead();
    const lines = await following.lines(2);
    expect(lines.map((line) => JSON.parse(line)).map(({ sequence, type }: Line) => [sequence, type])).toEqual([
      [1, 'lead.created'],
      [2, 'lead.created'],
    ]);
    expect(await following.interrupt()).toMatchObject({ code: 0, stderr: '' });
    const tail = start(['events', '-f', '--limit', '1'], cwd);
    expect(await tail.lines(1)).toEqual([expect.stringMatching(/^ +2 {2}/)]);
    tail.child.kill('SIGTERM');
    expect(await tail.ended).toMatchObject({ code: 0 });
  });
});

let shared: ReturnType<typeof newProject> | undefined;
/** A project for tests that change nothing in it. */
function sharedProject() {
  shared ??= newProject();
  return shared;
}
