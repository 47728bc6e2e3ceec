import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useService } from '@svc/testkit/service/service.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const service = useService({}, { arrivalMs: 200 });
const HOST = '127.0.0.1';

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: HOST });
});

/** Sends the beginning of a request and nothing more, and reads until the service closes the connection. */
async function begin(bytes: string): Promise<string> {
  const { port } = service.service.http.server.address() as AddressInfo;
  const socket = connect(port, HOST);
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

const post = (path: string, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 500\r\n\r\n{"affiliate_url":`;

describe('a request that does not end', () => {
  it.each([
    ['a click', post('/api/v1/track/click')],
    ['a beacon', post('/api/v1/track/lead', 'text/plain')],
    ['an event of a payment processor', post('/api/v1/webhooks/stripe')],
    ['a sign-in', post('/api/auth/sign-in/email')],
    ['headers', 'POST /api/v1/track/click HTTP/1.1\r\nHost: a\r\nX-Half: '],
  ])('is answered 408 and its connection is closed: %s', async (_what, bytes) => {
    const [head = '', body = ''] = (await begin(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(JSON.parse(body)).toEqual({
      data: null,
      error: {
        status: 408,
        name: 'RequestTimeoutError',
        message: 'The request did not arrive completely in time. Send it again.',
        details: {},
      },
    });
  });

  it('leaves no error in the log', () => {
    expect(service.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});
