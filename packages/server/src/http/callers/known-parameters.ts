import { errors, type RouteDefinition } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { nearestName } from './nearest-name.ts';

/** As many as the answer names: looking for the nearest name takes time. */
const MOST_NAMED = 5;

/** Refuses parameters of the query that the route does not have: a misspelled filter would return what was not asked for. */
export function requireKnownParameters({ query: declared }: RouteDefinition, { query }: FastifyRequest): void {
  const known = Object.keys(declared?.shape ?? {});
  const unknown = Object.keys(query as object).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw errors.unknownParameters(
      unknown.slice(0, MOST_NAMED).map((name) => ({ name, meant: nearestName(name, known) })),
    );
  }
}
