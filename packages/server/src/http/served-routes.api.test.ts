import { type RouteDefinition, routes } from '@svc/contract';
import { useService } from '@svc/testkit/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';

const service = useService();

const nameOf = ({ method, path }: RouteDefinition) => `${method} ${path}`;

/** Method and path of every route under `/api/v1`, from Fastify's own list. */
function servedRoutes(app: FastifyInstance): string[] {
  const lines = app.printRoutes({ commonPrefix: false }).split('\n');
  const prefixes: string[] = [];
  return lines.flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    prefixes[depth] = (prefixes[depth - 1] ?? '') + part;
    const path = prefixes[depth] ?? '';
    if (!path.startsWith('/api/v1/')) return [];
    return methods.split(', ').flatMap((method) => (method && method !== 'HEAD' ? [`${method} ${path}`] : []));
  });
}

it('every declared route is served, and every route under /api/v1 is declared', () => {
  expect(servedRoutes(service.service.http).sort()).toEqual(routes.map(nameOf).sort());
});
