import { connect } from 'node:net';
import { startPostgres } from '@svc/testkit';
import { setUp } from '@svc/testkit/service/processes/first-program.ts';
import { post, SECRET, startService } from '@svc/testkit/service/processes/processes.ts';
import { describe, expect, it } from 'vitest';

const EMAIL = 'jane.doe@customer.test';
const TOKEN = 'svc_key_0123456789abcdefghijklmnopqrstuv';
const PASSWORD = 'a-password-of-the-database';
/** A line of its own, if it were printed as it is. */
const FORGED = '\r\n{"level":50}';

/** Sends the bytes as they are, and waits for whatever is answered. */
async function sendRaw(url: string, bytes: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), new URL(url).hostname);
  socket.end(bytes);
  for await (const _answer of socket);
}

/** Puts the line wherever a caller can put text: a path, a header, a credential and a customer key. */
async function forge(url: string, key: string): Promise<void> {
  const text = encodeURIComponent(FORGED);
  await fetch(`${url}/api/v1/${text}`, { headers: { 'x-request-id': text, 'user-agent': text } });
  await sendRaw(url, `GET /api/v1/track${FORGED} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await sendRaw(url, `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${FORGED}\r\nConnection: close\r\n\r\n`);
  await sendRaw(
    url,
    `GET /healthz HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${FORGED}\r\nConnection: close\r\n\r\n`,
  );
  await post(`${url}/api/v1/track/lead`, { customer_key: FORGED }, key);
  await post(`${url}/api/auth/sign-in/email`, { email: `a${FORGED}@people.test`, password: FORGED });
}

describe('the output of a process whose database goes down and comes back', () => {
  it('consists of JSON lines without any key, token, e-mail, secret or database password', async () => {
    const database = await startPostgres({ fsync: 'off' });
    try {
      const url = new URL(database.url());
      url.password = PASSWORD;
      const service = await startService({ DATABASE_URL: url.href, SVC_SECRET: SECRET, LOG_LEVEL: 'trace' });
      const { api_key: key, short_link: link } = await setUp(
        service.env,
        '--partner-email',
        'partner.one@partner.test',
      );
      const track = (route: string, body: object, bearer?: string) =>
        post(`${service.url}/api/v1/track/${route}`, body, bearer);
      const click = () => track('click', { affiliate_url: `https://example.com/?aff=${link}&email=${EMAIL}` });
      const order = { transaction_id: EMAIL, amount_cents: 100, customer_key: EMAIL };
      const sendEverything = async () => [
        (await click()).status,
        (await track('lead', { customer_key: EMAIL, email: EMAIL }, key)).status,
        (await track('sale', order, key)).status,
        (await track('sale', order, TOKEN)).status,
        (await track('refund', { transaction_id: EMAIL }, key)).status,
      ];

      // Sent concurrently, so that there are idle connections to lose.
      await Promise.all(Array.from({ length: 8 }, sendEverything));
      await forge(service.url, key);
      await database.stop();
      await forge(service.url, key);
      expect(await sendEverything()).toEqual([500, 500, 500, expect.any(Number), 500]);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);

      await database.start();
      await expect.poll(async () => (await click()).status).toBe(200);
      await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(200);
      const { code, stdout, stderr } = await service.end();
      expect(code).toBe(0);

      const entries = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { level: number; time: number; msg: string });
      // A line that somebody else wrote would have no time.
      expect(entries.filter(({ time, msg }) => !Number.isInteger(time) || typeof msg !== 'string')).toEqual([]);
      const about = entries.map(({ msg }) => msg).filter((msg) => msg.startsWith('The database server'));
      expect(about).toEqual(['The database server accepts no connections.', 'The database server works again']);
      expect(entries.map(({ msg }) => msg)).toContain('Lost a database connection');
      const printed = stdout + stderr;
      for (const secret of [key, key.slice(8), TOKEN, EMAIL, 'jane.doe', 'partner.one', SECRET, PASSWORD]) {
        expect(printed).not.toContain(secret);
      }
    } finally {
      await database.remove();
    }
  });
});
