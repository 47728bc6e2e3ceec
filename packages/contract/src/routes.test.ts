import { describe, expect, it } from 'vitest';
import * as contract from './index.ts';
import { routeGroups, routes } from './routes.ts';

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

  it('orders the routes of links from the list to a new one to a single one', () => {
    const links = routeGroups.find(({ name }) => name === 'Links')?.routes.map(({ id }) => id);
    expect(links).toEqual(['manageLinks', 'manageAddLink', 'manageLink', 'manageUpdateLink', 'manageDeleteLink']);
  });
});
