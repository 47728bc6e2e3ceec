import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/db.ts';
import { isReachable } from '../db/engines/ping.ts';
import type { Stopping } from './graceful-shutdown.ts';

/** Liveness and readiness for operators and their tools. */
export function addHealthRoutes(app: FastifyInstance, db: Db, stopping: Stopping): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (stopping.isDraining()) {
      return reply.code(503).send({ status: 'stopping', store: db.kind, message: 'This node is about to stop.' });
    }
    const isReady = db.trouble() === null && (await isReachable(db));
    if (isReady) return { status: 'ready', store: db.kind };
    const message = db.trouble() ?? 'The store does not answer.';
    return reply.code(503).send({ status: 'unavailable', store: db.kind, message });
  });
}
