import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { type Certificate, createCertificate } from '@svc/testkit/service/certificate.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CallFailed, createCallOut } from './call-out.ts';

const ADDRESS = '127.0.0.9';
const NAME = 'receiver.test';
const CLOSED = 'The connection was closed before the answer was complete.';
const TOO_LONG = 'The answer is longer than 64 KiB.';

function newCallOut(callMs?: number) {
  const callOut = createCallOut([ADDRESS], {
    resolve: (_hostname, done) => done(null, [{ address: ADDRESS, family: 4 }]),
    ...(callMs && { callMs }),
  });
  onTestFinished(() => callOut.close());
  return callOut;
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, ADDRESS);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A receiver that does with each connection what it wants once a request has come. Its sockets tell when they are closed. */
async function receiver(answer: (socket: Socket) => void) {
  const closed: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    closed.push(new Promise<void>((resolve) => socket.once('close', () => resolve())));
    socket.once('data', () => answer(socket));
  });
  return { url: `http://${ADDRESS}:${await listen(server)}/hook`, closed };
}

const call = (url: string, callMs?: number) =>
  newCallOut(callMs).call({ method: 'POST', url, headers: {}, body: '{}' });

const sentenceOf = (url: string, callMs?: number) =>
  call(url, callMs).then(
    ({ status }) => `answered ${status}`,
    (error: Error) => (error instanceof CallFailed ? error.message : `${error}`),
  );

/** Writes the same again and again, for as long as the other side reads. */
function writeForever(socket: Socket, text: string): void {
  const block = text.repeat(Math.ceil(16_384 / text.length));
  const write = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', write);
  write();
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('an answer that never ends', () => {
  const endless = {
    'a body with a length': [`${OK}content-length: 10000000000\r\n\r\n`, 'x'],
    'a body without a length': [`${OK}\r\n`, 'x'],
    chunks: [`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n'],
    'interim answers': ['', 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'],
    'an extension of a chunk': [`${OK}transfer-encoding: chunked\r\n\r\n1;`, 'x'],
  };
  for (const [name, [start = '', again = '']] of Object.entries(endless)) {
    it(`is cut off: ${name}`, async () => {
      const { url, closed } = await receiver((socket) => {
        socket.write(start);
        writeForever(socket, again);
      });
      expect(await sentenceOf(url)).toMatch(/^The answer is (longer than 64 KiB|not valid HTTP)\.$/);
      await Promise.all(closed);
    });
  }

  it('is cut off: headers', async () => {
    const { url, closed } = await receiver((socket) => {
      socket.write(OK);
      writeForever(socket, 'x-more: yes\r\n');
    });
    expect(await sentenceOf(url)).toBe('The headers of the answer are too long.');
    await Promise.all(closed);
  });

  it('is cut off: trailers', async () => {
    const { url, closed } = await receiver((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`);
      writeForever(socket, 'x-more: yes\r\n');
    });
    expect(await sentenceOf(url)).toMatch(
      /^(The headers of the answer are too long|The answer is longer than 64 KiB)\.$/,
    );
    await Promise.all(closed);
  });

  it('counts with its status if that is a refusal', async () => {
    const { url, closed } = await receiver((socket) => {
      socket.write('HTTP/1.1 503 Busy\r\nretry-after: 60\r\n\r\n');
      writeForever(socket, 'x');
    });
    expect(await call(url)).toEqual({
      status: 503,
      headers: { 'retry-after': '60' },
      body: 'x'.repeat(64 * 1024),
    });
    await Promise.all(closed);
  });
});

describe('an answer', () => {
  const answered = (text: string) => receiver((socket) => void socket.write(text));

  it('of 64 KiB is read, and one byte more is too long', async () => {
    const of = (bytes: number) => answered(`${OK}content-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`);
    expect(await sentenceOf((await of(65_536)).url)).toBe('answered 200');
    expect(await sentenceOf((await of(65_537)).url)).toBe(TOO_LONG);
  });

  it('is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const { url } = await receiver((socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    const { status, body } = await call(url);
    expect(status).toBe(200);
    expect(body).toBe(bomb.toString());
  });

  it('that is longer than 64 KiB even compressed is too long', async () => {
    const bomb = gzipSync(Buffer.alloc(80_000_000));
    expect(bomb.length).toBeGreaterThan(64 * 1024);
    const { url } = await receiver((socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    expect(await sentenceOf(url)).toBe(TOO_LONG);
  });

  const texts: [string, string, string][] = [
    ['that is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'The answer is not valid HTTP.'],
    ['with a bad status line', 'HTTP/1.1 abc OK\r\n\r\n', 'The answer is not valid HTTP.'],
    [
      'with two lengths',
      `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nx`,
      'The answer is not as long as it says.',
    ],
    ['with a bad header', `${OK}no colon\r\n\r\n`, 'The answer is not valid HTTP.'],
    ['204 with a body', 'HTTP/1.1 204 No Content\r\n\r\nand more', 'answered 204'],
    ['204 with a length', 'HTTP/1.1 204 No Content\r\ncontent-length: 9\r\n\r\n', 'answered 204'],
    ['after an interim one', `HTTP/1.1 103 Early Hints\r\n\r\n${OK}content-length: 0\r\n\r\n`, 'answered 200'],
    [
      'with a redirect',
      'HTTP/1.1 301 Moved\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n',
      'answered 301',
    ],
    ['that is gone', 'HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n', 'answered 410'],
  ];
  it.each(texts)('%s', async (_name, text, expected) => {
    expect(await sentenceOf((await answered(text)).url)).toBe(expected);
  });

  it('that stops before its end is no answer, unless it is a refusal', async () => {
    const cut = (status: string) =>
      receiver((socket) => void socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\nhalf`));
    expect(await sentenceOf((await cut('200 OK')).url)).toBe(CLOSED);
    expect(await call((await cut('410 Gone')).url)).toMatchObject({ status: 410, body: 'half' });
  });

  it('that does not come is an error: closed, reset, refused', async () => {
    expect(await sentenceOf((await receiver((socket) => void socket.end())).url)).toBe(CLOSED);
    expect(await sentenceOf((await receiver((socket) => void socket.resetAndDestroy())).url)).toBe(CLOSED);
    const { url } = await receiver(() => undefined);
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    expect(await sentenceOf(url.replace(/:\d+\//, `:${port}/`))).toBe('The connection was refused.');
  });
});

describe('a call has one limit of time', () => {
  const CALL_MS = 250;
  const LATE = 'No complete answer came within 0.25 seconds.';

  it('for a receiver that says nothing', async () => {
    const { url, closed } = await receiver(() => undefined);
    expect(await sentenceOf(url, CALL_MS)).toBe(LATE);
    await Promise.all(closed);
  });

  it('for one that answers byte by byte', async () => {
    const { url, closed } = await receiver((socket) => {
      socket.write(`${OK}content-length: 1000000\r\n\r\n`);
      const timer = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await sentenceOf(url, CALL_MS)).toBe(LATE);
    await Promise.all(closed);
  });

  it('for one that sends its headers byte by byte', async () => {
    const { url, closed } = await receiver((socket) => {
      socket.write(`${OK}x-slow: `);
      const timer = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await sentenceOf(url, CALL_MS)).toBe(LATE);
    await Promise.all(closed);
  });

  it('for a name that nobody resolves, and for one that is resolved too late', async () => {
    const { url } = await receiver((socket) => void socket.end(`${OK}\r\n`));
    const named = url.replace(ADDRESS, NAME);
    let answer: (() => void) | undefined;
    const callOut = createCallOut([ADDRESS], {
      callMs: CALL_MS,
      resolve: (_hostname, done) => {
        answer = () => done(null, [{ address: ADDRESS, family: 4 }]);
      },
    });
    const late = callOut.call({ method: 'POST', url: named, headers: {} });
    await expect(late).rejects.toThrow(LATE);
    answer?.();
    await callOut.close();
  });
});

describe('a certificate', () => {
  const received: string[] = [];

  async function secured(certificate: Certificate): Promise<string> {
    const server = createTlsServer(certificate, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => received.push(data.toString()));
    });
    server.on('tlsClientError', () => undefined);
    return `https://${NAME}:${await listen(server)}/hook`;
  }

  it('that is not right ends the call before anything is sent', async () => {
    const insecure = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    onTestFinished(() => {
      if (insecure === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = insecure;
    });
    const yesterday = new Date(Date.now() - 86_400_000);
    expect(await sentenceOf(await secured(createCertificate(NAME)))).toBe('The TLS certificate is self-signed.');
    expect(await sentenceOf(await secured(createCertificate(NAME, { by: 'Nobody' })))).toBe(
      'The TLS certificate was not issued by a known authority, or its chain is incomplete.',
    );
    expect(await sentenceOf(await secured(createCertificate(NAME, { until: yesterday })))).toMatch(
      /^The TLS certificate (has expired|is self-signed)\.$/,
    );
    expect(received).toEqual([]);
  });

  it('is asked for: plain HTTP at an https URL is an error', async () => {
    const { url } = await receiver((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await sentenceOf(url.replace('http:', 'https:'))).toMatch(/^The TLS connection failed \(\w+\)\.$/);
  });
});

describe('a host', () => {
  /** A receiver that answers when told to, and counts the connections that are open to any of its ports. */
  async function counting(ports: number) {
    const count = { open: 0, most: 0 };
    const held: ServerResponse[] = [];
    const urls: string[] = [];
    for (let index = 0; index < ports; index += 1) {
      const server = createHttpServer((_request, response) => void held.push(response)).on('connection', (socket) => {
        count.open += 1;
        count.most = Math.max(count.most, count.open);
        socket.on('close', () => {
          count.open -= 1;
        });
      });
      urls.push(`http://${ADDRESS}:${await listen(server)}/hook`);
    }
    return { count, held, urls };
  }

  it('has at most eight connections, whatever the ports, in use or kept', async () => {
    const { count, held, urls } = await counting(3);
    const callOut = newCallOut();
    const calls = Array.from({ length: 60 }, (_, index) =>
      callOut.call({ method: 'POST', url: urls[index % urls.length] as string, headers: {}, body: '{}' }),
    );
    let answered = 0;
    while (answered < calls.length) {
      await expect.poll(() => held.length).toBe(Math.min(8, calls.length - answered));
      for (const response of held.splice(0, 3)) {
        response.end();
        answered += 1;
      }
    }
    expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
    expect(count.most).toBe(8);
    await callOut.closeIdle(ADDRESS);
    await expect.poll(() => count.open).toBe(0);
  });

  it('keeps a connection for the next call, and closes all when the service stops', async () => {
    const { count, held, urls } = await counting(1);
    const callOut = newCallOut();
    const send = () => callOut.call({ method: 'POST', url: urls[0] as string, headers: {}, body: '{}' });
    for (let times = 0; times < 5; times += 1) {
      const answer = send();
      await expect.poll(() => held.length).toBe(1);
      held.pop()?.end();
      expect(await answer).toMatchObject({ status: 200 });
    }
    expect(count).toEqual({ open: 1, most: 1 });
    const unanswered = expect(send()).rejects.toThrow(CallFailed);
    await expect.poll(() => held.length).toBe(1);
    await callOut.close();
    await unanswered;
    await expect.poll(() => count.open).toBe(0);
  });
});
