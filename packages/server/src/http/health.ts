import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/db.ts';
import { findTrouble } from '../db/engines/find-trouble.ts';
import type { Stopping } from './graceful-shutdown.ts';

/** Liveness and readiness for operators and their tools. */
export function addHealthRoutes(app: FastifyInstance, db: Db, stopping: Stopping): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (stopping.isDraining()) {
      return reply.code(503).send({ status: 'stopping', store: db.kind, message: 'This node is about to stop.' });
    }
    const message = await findTrouble(db);
    if (message === null) return { status: 'ready', store: db.kind };
    return reply.code(503).send({ status: 'unavailable', store: db.kind, message });
  });
}
