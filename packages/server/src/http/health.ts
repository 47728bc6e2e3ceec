import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/db.ts';
import { findTrouble } from '../db/engines/find-trouble.ts';
import type { ReportReader } from '../db/report-reader.ts';
import type { Stopping } from './graceful-shutdown.ts';

/** Liveness and readiness for operators and their tools. */
export function addHealthRoutes(
  app: FastifyInstance,
  ctx: { db: Db; reports: ReportReader },
  stopping: Stopping,
): void {
  const { db, reports } = ctx;
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (stopping.isDraining()) {
      return reply.code(503).send({ status: 'stopping', store: db.kind, message: 'This node is about to stop.' });
    }
    const message = await findTrouble(db);
    if (message === null) return { status: 'ready', store: db.kind, ...reportsOf(reports) };
    return reply.code(503).send({ status: 'unavailable', store: db.kind, message });
  });
}

/** Who answers reports, where there is a replica. Without it the service works as well. */
function reportsOf(reports: ReportReader) {
  const replica = reports.replica();
  if (!replica) return {};
  return { reports: replica.isUsed ? 'replica' : 'primary', replica_behind_seconds: replica.behindSeconds };
}
