import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { pathOf } from './request-guard.ts';

/** Answers 404 for unknown paths, and 405 with the allowed methods for known paths. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  const refusalOf = (url: string) => {
    const path = pathOf(url);
    const allowed = methods.get(path) ?? [...methods].find(([pattern]) => matches(pattern, path))?.[1];
    return allowed ? errors.methodNotAllowed([...allowed]) : errors.notFound();
  };
  // Runs before the body is read: what is wrong with it does not matter here.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) return done(refusalOf(request.url));
    done();
  });
  app.setNotFoundHandler((request) => {
    throw refusalOf(request.url);
  });
}

/** Whether the path matches a route with parameters, like `/programs/:program_id`. */
function matches(pattern: string, path: string): boolean {
  if (!pattern.includes(':')) return false;
  const [parts, actual] = [pattern.split('/'), path.split('/')];
  return parts.length === actual.length && parts.every((part, index) => part.startsWith(':') || part === actual[index]);
}
