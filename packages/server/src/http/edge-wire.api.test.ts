import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useService } from '@svc/testkit/service/service.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const service = useService();
const HOST = '127.0.0.1';

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: HOST });
});

/** Sends the bytes unchanged and reads until the service closes the connection. */
async function exchange(bytes: string) {
  const { port } = service.service.http.server.address() as AddressInfo;
  const socket = connect(port, HOST);
  await once(socket, 'connect');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [statusLine = '', ...headers] = head.split('\r\n');
  return { status: Number(statusLine.split(' ')[1]), headers: headers.join('\n').toLowerCase(), body };
}

describe('on the wire', () => {
  it.each([
    ['a method that does not exist', 400, 'FOO /api/v1/track/click HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 400, 'GET /api/v1/track/click HTTP/1.1\r\nnonsense\r\n\r\n'],
    ['no HTTP at all', 400, 'nonsense\r\n\r\n'],
    ['headers of 20 KB', 431, `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('%s is answered %i in the platform envelope, with a request id', async (_what, status, bytes) => {
    const answer = await exchange(bytes);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      data: null,
      error: { status, name: expect.any(String), message: expect.any(String), details: {} },
    });
    expect(answer.headers).toMatch(/^x-request-id: ./m);
  });

  it('bytes that are no request are answered after the request before them', async () => {
    const { apiKey } = await service.program();
    const { port } = service.service.http.server.address() as AddressInfo;
    const socket = connect(port, HOST);
    await once(socket, 'connect');
    socket.write(
      `GET /api/v1/programs/me/readiness HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\n\r\nnonsense\r\n\r\n`,
    );
    const statuses = (await text(socket)).match(/HTTP\/1.1 \d+/g);
    expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('HEAD gets the headers of the answer and no body, refused or not', async () => {
    const { apiKey } = await service.program();
    const head = (path: string) =>
      exchange(`HEAD ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`);
    for (const [path, status] of [
      ['/api/v1/programs/me/readiness', 200],
      ['/api/v1/track/click', 405],
      ['/nowhere', 404],
    ] as const) {
      const answer = await head(path);
      expect(answer).toEqual({ status, body: '', headers: expect.stringMatching(/^x-request-id: ./m) });
    }
  });

  it.each([
    ['a length and chunks', (body: string) => [`Content-Length: ${body.length}\r\nTransfer-Encoding: chunked`, body]],
    ['two lengths', (body: string) => [`Content-Length: ${body.length}\r\nContent-Length: ${body.length - 1}`, body]],
    ['two lengths that agree', (body: string) => [`Content-Length: ${body.length}\r\n`.repeat(2).trim(), body]],
    ['a chunk whose size is no number', (body: string) => ['Transfer-Encoding: chunked', `zz\r\n${body}\r\n0\r\n\r\n`]],
    ['a chunk longer than its size', (body: string) => ['Transfer-Encoding: chunked', `5\r\n${body}\r\n0\r\n\r\n`]],
  ])('a body with %s is refused with 400, and nothing is stored', async (_what, told) => {
    const { program, link } = await service.program();
    const body = JSON.stringify({ affiliate_url: `https://acme.test/?aff=${link}` });
    const [headers, sent] = told(body);
    const answer = await exchange(
      `POST /api/v1/track/click HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${sent}`,
    );
    expect(answer.status).toBe(400);
    expect(await service.counts(program.id)).toMatchObject({ customers: 0, clicks: 0 });
  });

  it('two Origin headers never count as an allowed origin', async () => {
    const { program, link } = await service.program();
    const body = JSON.stringify({ affiliate_url: `https://acme.test/?aff=${link}` });
    const origins = 'Origin: https://elsewhere.example\r\nOrigin: https://acme.test\r\n';
    const answer = await exchange(
      `POST /api/v1/track/click HTTP/1.1\r\nHost: a\r\n${origins}Content-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer.status).toBe(403);
    expect(await service.counts(program.id)).toMatchObject({ customers: 0, clicks: 0 });
  });
});
