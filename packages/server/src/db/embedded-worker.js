// Runs the embedded Postgres off the HTTP thread. Plain JavaScript, so that the same file starts from source and from dist.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const store = await PGlite.create(workerData.dataDir);

/** @param {{ id: number, sql: string, params?: unknown[] }} request */
async function run({ id, sql, params }) {
  try {
    const result = params ? await store.query(sql, params) : (await store.exec(sql)).at(-1);
    port.postMessage({ id, rows: result?.rows ?? [] });
  } catch (error) {
    const { message, code, constraint } = /** @type {Error & { code?: string, constraint?: string }} */ (error);
    port.postMessage({ id, error: { message, code, constraint } });
  }
}

port.on('message', async (request) => {
  if (request.listen) {
    await store.listen(request.listen, (payload) => port.postMessage({ channel: request.listen, payload }));
    port.postMessage({ id: request.id, rows: [] });
  } else if (request.close) {
    await store.close();
    port.postMessage({ id: request.id, rows: [] });
    port.close();
  } else {
    await run(request);
  }
});
port.postMessage({ ready: true });
