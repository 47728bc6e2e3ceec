import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { pathOf } from './gate.ts';

/** Answers unknown paths with 404, and known ones that were asked with another method with 405 and what they take. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  app.setNotFoundHandler((request) => {
    const allowed = methods.get(pathOf(request.url));
    throw allowed ? errors.methodNotAllowed([...allowed]) : errors.notFound();
  });
}
