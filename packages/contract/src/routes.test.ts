import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as contract from './index.ts';
import { routeGroups, routes } from './routes.ts';
import type { RouteDefinition } from './routing/route.ts';

const exported = Object.entries(contract).filter(
  ([, value]) => typeof value === 'object' && value !== null && 'id' in value && 'fail' in value,
);

describe('the list of routes', () => {
  it('contains every exported route once, under the name of its export', () => {
    expect(routes.map(({ id }) => id).sort()).toEqual(exported.map(([name]) => name).sort());
  });

  it('has no two routes with the same method and path', () => {
    const addresses = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('says for every change that an account makes when it needs a proof, or in a sentence why not', () => {
    const changes = routes.filter(({ auth, method }) => auth === 'account' && method !== 'GET');
    expect(changes.length).toBeGreaterThan(0);
    const isStated = ({ proof, body }: RouteDefinition) => {
      const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : null;
      const isField = (field: string) => fields?.includes(field) ?? true;
      if (proof === undefined) return false;
      if (proof === 'recent') return true;
      if ('none' in proof) return /^[A-Z].+\.$/.test(proof.none);
      return 'whenTrue' in proof
        ? isField(proof.whenTrue)
        : proof.withFields.length > 0 && proof.withFields.every(isField);
    };
    expect(changes.filter((route) => !isStated(route)).map(({ id, proof }) => ({ id, proof }))).toEqual([]);
  });

  it('orders the routes of links from the list to a new one to a single one', () => {
    const links = routeGroups.find(({ name }) => name === 'Links')?.routes.map(({ id }) => id);
    expect(links).toEqual(['manageLinks', 'manageAddLink', 'manageLink', 'manageUpdateLink', 'manageDeleteLink']);
  });
});
