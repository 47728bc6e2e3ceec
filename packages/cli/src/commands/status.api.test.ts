import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newHome, useCommand } from '../../test/command.ts';
import { answer, Gateway } from '../../test/gateway.ts';
import { theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';

const command = useCommand();
const service = theService();
const SECRET = 'whsec_for_the_command';
let home = '';
let cwd = '';
let program: { SVC_PROGRAM_ID?: string; SVC_API_KEY?: string } = {};

beforeAll(async () => {
  home = await newHome(command);
  cwd = await command.folder();
  await signedIn(command, service, home);
  await command.run(['init', '--json', '--no-interactive', '--api-url', service.url, ...TERMS], { home, cwd });
  const lines = (await readFile(join(cwd, '.svc/.env'), 'utf8')).split('\n').map((line) => line.split('='));
  program = Object.fromEntries(lines);
});

const status = (...args: string[]) => command.run(['status', ...args], { home, cwd });
const processorPath = () => `/api/v1/manage/programs/${program.SVC_PROGRAM_ID}/processor`;
const webhookUrl = () => `${service.url}/api/v1/webhooks/stripe/${program.SVC_PROGRAM_ID}`;

async function connect(connection: object): Promise<void> {
  const stored = JSON.parse(await readFile(join(home, '.svc/credentials.json'), 'utf8'));
  const { token } = stored.accounts[service.url];
  const response = await fetch(service.url + processorPath(), {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(connection),
  });
  expect(response.status).toBe(200);
}

/** Sends an event of a type that the service does not use, signed like Stripe does, and returns the status of the answer. */
async function sendEvent(secret = SECRET): Promise<number> {
  const at = Math.floor(Date.now() / 1000);
  const event = {
    id: `evt_${at}`,
    type: 'customer.created',
    created: at,
    livemode: true,
    data: { object: { id: 'x' } },
  };
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${at},v1=${signature}` };
  const response = await fetch(webhookUrl(), { method: 'POST', headers, body });
  return response.status;
}

describe('svc status with Stripe', () => {
  it('shows that it is not connected, then connected without an event, then the last event', async () => {
    const before = await status();
    expect(before.stdout).toMatch(/^Stripe\s+not connected$/m);
    expect(before.stdout).not.toContain('Last Stripe');

    await connect({ provider: 'stripe', webhook_secret: SECRET });
    const connected = await status();
    expect(connected.code).toBe(0);
    expect(connected.stdout).toMatch(/^Stripe\s+connected$/m);
    expect(connected.stdout).toMatch(/^Last Stripe event\s+none yet; Stripe must send events to (\S+)$/m);
    expect(connected.stdout).toContain(webhookUrl());
    expect(connected.stdout).not.toMatch(/Last Stripe error|Stripe warning/);

    expect(await sendEvent()).toBe(200);
    expect((await status()).stdout).toMatch(
      /^Last Stripe event\s+customer\.created, (not_used|not processed yet), \d{4}-\d\d-\d\dT\S+Z$/m,
    );
    const { json } = await status('--json');
    expect(json).toMatchObject({ stripe_connected: true, processor: { status: 'connected', last_error: null } });
    expect(json.processor.last_event.type).toBe('customer.created');
  });

  it('counts requests whose signature fits no secret', async () => {
    for (const times of ['1 request', '2 requests']) {
      expect(await sendEvent('whsec_of_another_endpoint')).toBe(400);
      const { stdout } = await status();
      const said =
        /^Stripe warning\s+(.*) had a signature that matches none of your signing secrets, the last one \d{4}-\S+Z$/m;
      expect(said.exec(stdout)?.[1]).toBe(times);
    }
    const mismatches = { count: 2, last_at: expect.any(String) };
    expect((await status('--json')).json.processor.signature_mismatches).toEqual(mismatches);
  });

  it('shows Paddle once it is connected', async () => {
    expect((await status()).stdout).not.toContain('Paddle');
    await connect({
      provider: 'paddle',
      webhook_secret: 'pdl_ntfset_01hz0000000000000000000000_abcdefghijklmnop',
      test_mode: false,
    });
    const { stdout } = await status();
    expect(stdout).toMatch(/^Paddle\s+connected$/m);
    expect(stdout).toMatch(
      /^Last Paddle event\s+none yet; Paddle must send events to \S+\/api\/v1\/webhooks\/paddle\/\d+$/m,
    );
    expect((await status('--json')).json.processors.map(({ provider }: { provider: string }) => provider)).toEqual([
      'stripe',
      'paddle',
    ]);
  });

  it('shows only “connected” to others who have the key', async () => {
    const other = await newHome(command);
    await signedIn(command, service, other);
    const nobody = await newHome(command);
    for (const stranger of [other, nobody]) {
      const { code, json, stderr } = await command.run(['status', '--json'], { home: stranger, cwd });
      expect([code, stderr, json.stripe_connected]).toEqual([0, '', true]);
      expect(json).not.toHaveProperty('processor');
    }
  });

  it('shows the last error, and what is missing', async () => {
    const gateway = new Gateway(service.url);
    await gateway.open();
    const other = await newHome(command);
    await signedIn(command, service, other, gateway.url);
    const { json: known } = await status('--json');
    const failing = { event_id: 'evt_9', message: 'the store was full', at: '2026-03-10T12:00:00.000Z' };
    const { processor, processors: _connected, ...own } = known;
    gateway.faults.push(answer(200, JSON.stringify({ data: own })));
    const message = 'Payments have arrived, but never a refund.';
    const missing = [{ events: ['charge.refunded'], after: ['invoice.paid'], count: 50, message }];
    const wrong = { last_error: failing, unlinked_invoices: 3, only_tests: true, missing_events: missing };
    gateway.faults.push(answer(200, JSON.stringify({ data: { ...processor, ...wrong } })));
    const shown = await command.run(['status', '--api-url', gateway.url], { home: other, cwd });
    gateway.close();
    expect(shown.stdout).toMatch(/^Last Stripe error\s+evt_9, 2026-03-10T12:00:00\.000Z: the store was full$/m);
    expect(shown.stdout).toMatch(
      /^Stripe warning\s+3 subscription payments are not linked, so refunds and disputes cannot be applied: add invoice_payment\.paid to the events/m,
    );
    expect(shown.stdout).toMatch(/^Stripe warning\s+all events so far are tests, which count nowhere$/m);
    expect(shown.stdout).toMatch(/^Stripe warning\s+Payments have arrived, but never a refund\.$/m);
    expect(gateway.seen.slice(-6)).toEqual([
      'GET /api/v1/cli/status',
      `GET ${processorPath()}?provider=stripe`,
      `GET ${processorPath()}?provider=paddle`,
      `GET ${processorPath()}?provider=polar`,
      `GET ${processorPath()}?provider=lemonsqueezy`,
      `GET ${processorPath()}?provider=custom`,
    ]);
  });
});
