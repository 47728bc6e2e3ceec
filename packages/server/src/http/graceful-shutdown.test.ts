import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { type Stopping, stopGently } from './graceful-shutdown.ts';

const CONNECTIONS = 20;

/** Sends a request over each of its connections, tells when all are sent, and reports the first line of each answer. */
const CALLER = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, connections, sent } } = require('node:worker_threads');
  const answers = Array.from({ length: connections }, () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8');
    socket.on('error', (error) => resolve(error.code));
    socket.on('data', (text) => resolve(text.split('\\r')[0]));
    socket.on('close', () => resolve('closed without an answer'));
    socket.on('connect', () => socket.write('GET / HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n', () => {
      Atomics.add(sent, 0, 1);
      Atomics.notify(sent, 0);
    }));
  }));
  Promise.all(answers).then((lines) => parentPort.postMessage(lines));
`;

/** A service with one route that gets `finishMs` for its last requests. */
async function listen(finishMs?: number) {
  const app = fastify();
  const stopping = stopGently(app, finishMs);
  app.get('/', async () => 'here');
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return { app, stopping, port: (app.server.address() as AddressInfo).port };
}

it.each([
  ['drain', (stopping: Stopping) => stopping.drain(10), /^HTTP\/1\.1 200 OK$/],
  ['close', (stopping: Stopping) => stopping.close(), /^HTTP\/1\.1 (200 OK|503 Service Unavailable)$/],
])(
  'answers the requests on connections that nobody has accepted yet when it starts to %s',
  async (_how, stop, line) => {
    const { stopping, port } = await listen();
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const caller = new Worker(CALLER, { eval: true, workerData: { port, connections: CONNECTIONS, sent } });
    onTestFinished(async () => void (await caller.terminate()));
    await once(caller, 'online');

    // While this thread is blocked, the operating system queues the connections.
    for (let count = 0; count < CONNECTIONS; count = Atomics.load(sent, 0)) Atomics.wait(sent, 0, count, 10_000);
    const stopped = stop(stopping);

    const [answers] = await once(caller, 'message');
    expect(answers).toEqual(Array(CONNECTIONS).fill(expect.stringMatching(line)));
    await stopped;
  },
);

it.each([
  ['has sent nothing, like those that browsers open in advance', ''],
  ['never sends the rest of its request', 'GET / HTTP/1.1\r\nhost: local'],
])('closes although a connection %s', async (_what, text) => {
  const { app, stopping, port } = await listen(500);
  const accepted = once(app.server, 'connection');
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const [connection] = await accepted;
  if (text) socket.write(text);
  while (connection.bytesRead < text.length) await nextTurn();

  await stopping.close();

  expect(connection.destroyed).toBe(true);
});
