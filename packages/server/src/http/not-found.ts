import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { pathOf } from './request-guard.ts';

/** Answers unknown paths with 404, and known ones that were asked with another method with 405 and what they take. */
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
  // Before the body is looked at: what is wrong with it does not matter here.
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw refusalOf(request.url);
  });
  app.setNotFoundHandler((request) => {
    throw refusalOf(request.url);
  });
}

/** Whether the path is one of a route with parameters, like `/programs/:program_id`. */
function matches(pattern: string, path: string): boolean {
  if (!pattern.includes(':')) return false;
  const [parts, given] = [pattern.split('/'), path.split('/')];
  return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index]);
}
