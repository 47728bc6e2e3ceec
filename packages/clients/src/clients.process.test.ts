import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isInstalled } from '@svc/testkit';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { VERSION } from '@svc/testkit/service/version.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Call = Record<string, unknown> & { do: 'click' | 'lead' | 'sale' | 'refund' | 'verify' | 'clickId' };
type CallError = { code: string; status: number; message: string; requestId: string; isRetryable: boolean };
type Made = {
  ok: boolean;
  outcome: string;
  reply: Record<string, unknown> | null;
  reason: string | null;
  error: CallError | null;
  event: unknown;
  clickId: string | null;
};

type Language = {
  file: string;
  /** A command that tells whether the language is there. */
  probe: [string, ...string[]];
  /** Gets what the calls need into the folder, beside the downloaded client, and returns the command that makes them. */
  prepare(folder: string): Promise<[string, ...string[]]>;
};

const CALLS = fileURLToPath(new URL('../test/', import.meta.url));

const LANGUAGES: Record<string, Language> = {
  Python: {
    file: 'svc.py',
    probe: ['python3', '--version'],
    prepare: async (folder) => ['python3', join(CALLS, 'call.py'), folder],
  },
  PHP: {
    file: 'Svc.php',
    probe: ['php', '--version'],
    prepare: async (folder) => ['php', join(CALLS, 'call.php'), folder],
  },
  Ruby: {
    file: 'svc.rb',
    probe: ['ruby', '--version'],
    prepare: async (folder) => ['ruby', '-w', join(CALLS, 'call.rb'), folder],
  },
  Go: {
    file: 'svc.go',
    probe: ['go', 'version'],
    prepare: async (folder) => {
      await mkdir(join(folder, 'svc'));
      await cp(join(folder, 'svc.go'), join(folder, 'svc/svc.go'));
      await cp(join(CALLS, 'call.go'), join(folder, 'main.go'));
      await rm(join(folder, 'svc.go'));
      await writeFile(join(folder, 'go.mod'), 'module calls\n\ngo 1.18\n');
      if (process.env.SVC_TEST_LONG) await run('go', ['vet', './...'], { cwd: folder, env: GO_ENV });
      await run('go', ['build', '-o', 'calls', '.'], { cwd: folder, env: GO_ENV });
      return [join(folder, 'calls')];
    },
  },
};

const run = promisify(execFile);
/**
 * Nothing is downloaded: the client needs the standard library alone. Go keeps what it compiles of that in its usual cache; compiling it takes a minute
 * of a processor.
 */
const GO_ENV = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' };
const service = useService();
const receiver = useReceiver();
let program: TestProgram;
let url = '';

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(service.service.http.server.address() as AddressInfo).port}`;
  program = await service.program();
});

for (const [name, { file, probe, prepare }] of Object.entries(LANGUAGES)) {
  describe.skipIf(!isInstalled(`The client for ${name}`, probe))(`the client for ${name}`, () => {
    let folder = '';
    let command: [string, ...string[]];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-client-'));
      const { status, text } = await service.call('GET', `/clients/${file}`);
      expect(status).toBe(200);
      await writeFile(join(folder, file), text);
      command = await prepare(folder);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    /** Makes the calls with the client as a shop's server would. */
    async function make(...calls: Call[]): Promise<Made[]> {
      const [program_, ...args] = command;
      const env = { ...process.env, SVC_API_KEY: program.apiKey, SVC_API_URL: url };
      const child = spawn(program_, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.end(JSON.stringify(calls));
      let output = '';
      for await (const part of child.stdout.setEncoding('utf8')) output += part;
      return JSON.parse(output);
    }

    const only = async (call: Call): Promise<Made> => (await make(call))[0] as Made;

    it('reports a click, a signup, a payment and a refund', async () => {
      const click = await only({ do: 'click', body: { affiliate_url: `https://acme.test/?aff=${program.link}` } });
      expect(click).toMatchObject({ ok: true, outcome: 'recorded', reply: { partner_code: program.link } });
      const key = `${name}-user`;
      const order = `${name}-order`;
      const made = await make(
        { do: 'lead', body: { click_id: click.reply?.click_id, customer_key: key, email: 'zoë@example.com' } },
        { do: 'lead', body: { click_id: click.reply?.click_id, customer_key: key } },
        { do: 'sale', body: { transaction_id: order, customer_key: key, amount_cents: 4900, currency: 'EUR' } },
        { do: 'sale', body: { transaction_id: order, customer_key: key, amount_cents: 4900, currency: 'EUR' } },
        { do: 'refund', body: { transaction_id: order, refund_amount_cents: 1900, refund_id: `${name}-refund` } },
      );
      expect(made.map(({ ok, outcome }) => [ok, outcome])).toEqual([
        [true, 'recorded'],
        [true, 'already_recorded'],
        [true, 'recorded'],
        [true, 'already_recorded'],
        [true, 'recorded'],
      ]);
      const [sale] = await service.sql(
        `select s.amount_cents, s.refunded_cents, s.currency, c.commission_cents - c.deducted_cents as earned
         from sales s join commissions c on c.sale_id = s.id where processor_event_id = $1`,
        [order],
      );
      expect(sale).toMatchObject({ amount_cents: 4900, refunded_cents: 1900, currency: 'EUR', earned: 600 });
    });

    it('says why nobody is credited', async () => {
      const made = await make(
        { do: 'sale', body: { transaction_id: `${name}-organic`, customer_key: `${name}-nobody`, amount_cents: 100 } },
        { do: 'refund', body: { transaction_id: `${name}-unknown` } },
      );
      expect(made.map(({ ok, outcome, reason }) => [ok, outcome, reason])).toEqual([
        [true, 'unattributed', 'customer_not_found'],
        [true, 'unattributed', 'sale_not_found'],
      ]);
    });

    it('says what is wrong with a request, once', async () => {
      const { ok, outcome, error } = await only({ do: 'sale', body: { transaction_id: 'x', amount_cents: 1.5 } });
      expect([ok, outcome]).toEqual([false, 'failed']);
      expect(error).toMatchObject({ status: 400, code: 'invalid_request', isRetryable: false });
      expect(error?.message).toContain('amount_cents');
      expect(error?.requestId).toMatch(/\S/);
    });

    it('tries again with the same key and the same bytes while the service is busy', async () => {
      const path = `/${name}-busy`;
      receiver.answer(
        `${path}/api/v1/track/sale`,
        { status: 503, body: 'busy' },
        { status: 200, body: '{"success":true}' },
      );
      const made = await only({ do: 'sale', url: receiver.url(path), seconds: 20, body: { transaction_id: 'é' } });
      expect(made).toMatchObject({ ok: true, outcome: 'recorded' });
      const [first, second, ...more] = receiver.at(`${path}/api/v1/track/sale`);
      expect(more).toEqual([]);
      expect(second).toMatchObject({ body: first?.body });
      expect(JSON.parse(first?.body ?? '')).toEqual({ transaction_id: 'é' });
      expect(second?.headers).toMatchObject({
        'idempotency-key': first?.headers['idempotency-key'],
        authorization: `Bearer ${program.apiKey}`,
        'user-agent': expect.stringMatching(new RegExp(`^svc-\\w+/${VERSION}$`)),
      });
      expect(first?.headers['idempotency-key']).toMatch(/^[\w-]{32,36}$/);
    });

    it('takes only the service’s own success for success, and follows no redirect', async () => {
      const path = `/${name}-else`;
      const at = (what: string) => `${path}/${what}/api/v1/track/sale`;
      receiver.answer(at('page'), { status: 200, body: '<html>Welcome</html>' });
      receiver.answer(at('false'), { status: 200, body: '{"success":false}' });
      receiver.answer(at('moved'), { status: 301, headers: { location: receiver.url(at('elsewhere')) } });
      receiver.answer(at('elsewhere'), { status: 200, body: '{"success":true}' });
      const body = { transaction_id: '1' };
      const made = await make(
        ...['page', 'false', 'moved'].map((what) => ({
          do: 'sale' as const,
          url: receiver.url(`${path}/${what}`),
          seconds: 20,
          body,
        })),
      );
      expect(made.map(({ ok, error }) => [ok, error?.status, error?.isRetryable])).toEqual([
        [false, 200, false],
        [false, 200, false],
        [false, 301, false],
      ]);
      for (const { error } of made) expect(error?.message).toContain('check SVC_API_URL');
      expect(receiver.at(at('elsewhere'))).toEqual([]);
    });

    it('gives up when its time is over, and does not raise', async () => {
      const path = `/${name}-hanging`;
      const release = receiver.hold(`${path}/api/v1/track/lead`);
      // In 5.5 seconds, the last of four attempts has time enough to be refused.
      const [hanging, refused, unset] = await make(
        { do: 'lead', url: receiver.url(path), seconds: 0.5, body: { customer_key: 'a' } },
        { do: 'lead', url: 'http://127.0.0.1:1', seconds: 5.5, body: { customer_key: 'a' } },
        { do: 'lead', url: 'track.example.com', seconds: 0.5, body: { customer_key: 'a' } },
      );
      release();
      expect(hanging?.error).toMatchObject({ code: 'timeout', isRetryable: true });
      expect(refused?.error).toMatchObject({ code: 'unreachable', isRetryable: true });
      expect(unset?.error).toMatchObject({ code: 'not_configured', isRetryable: false });
      expect(receiver.at(`${path}/api/v1/track/lead`)).toHaveLength(1);
    });

    it('knows the service that it was downloaded from', async () => {
      const { text } = await service.call('GET', `/clients/${file}`);
      expect(text).toContain('https://track.test');
      expect(text).not.toContain('track.example.com');
    });

    it('verifies webhooks as the published library signs them', async () => {
      const secret = `whsec_${Buffer.from('the secret of an endpoint, 32 by').toString('base64')}`;
      const other = `whsec_${Buffer.from('another secret that was replaced').toString('base64')}`;
      const body = JSON.stringify({ id: 'evt_1', type: 'sale.created', sequence: 7, data: { name: 'Zoë 💸' } });
      const now = new Date();
      const signed = (at: Date, by = secret) => ({
        'Webhook-Id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': `v1,AAAA v2,x ${new Webhook(by).sign('evt_1', at, body)}`,
      });
      const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
      const verify = (headers: object, more: object = {}): Call => ({
        do: 'verify',
        body,
        headers,
        secrets: [secret],
        ...more,
      });
      const { 'webhook-signature': _, ...unsigned } = signed(now);
      const made = await make(
        verify(signed(now)),
        verify(signed(now, other), { secrets: [secret, other] }),
        verify(signed(now, other)),
        verify(signed(now), { body: `${body} ` }),
        verify(signed(ago(600))),
        verify(signed(ago(-600))),
        verify(unsigned),
        verify({ ...signed(now), 'webhook-timestamp': 'soon' }),
        verify({ ...signed(now), 'Webhook-Id': 'evt_2' }),
        verify(signed(now), { secrets: ['whsec_'] }),
        verify(signed(now), { secrets: [] }),
      );
      expect(made.map(({ event, error }) => error?.code ?? event)).toEqual([
        JSON.parse(body),
        JSON.parse(body),
        ...Array(7).fill('invalid_signature'),
        'not_configured',
        'not_configured',
      ]);
      expect(made.slice(2, 9).map(({ error }) => error?.message)).toEqual([
        'No signature fits the body and the secret',
        'No signature fits the body and the secret',
        'The delivery is too old',
        'The delivery is from the future: check the clock of this server',
        'The request lacks a webhook-id, webhook-timestamp or webhook-signature header',
        'The webhook-timestamp header is not a time in seconds',
        'No signature fits the body and the secret',
      ]);
    });

    it('finds the click id in the cookies', async () => {
      const cookies = [
        'a=b; svc_click_id=cust_1_1760000000000; c=d',
        'svc_click_id=cust_1_x',
        'xsvc_click_id=cust_1_1',
        '',
      ];
      const made = await make(...cookies.map((cookie) => ({ do: 'clickId' as const, cookie })));
      expect(made.map(({ clickId }) => clickId || null)).toEqual(['cust_1_1760000000000', null, null, null]);
    });
  });
}
