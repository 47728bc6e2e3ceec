import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createServers, serverUrls } from './servers.ts';

describe('a connection string', () => {
  it.each([
    ['postgres://svc:pw@db:5432/svc', ['postgres://svc:pw@db:5432/svc']],
    ['postgresql:///svc?host=/run/postgresql', ['postgresql:///svc?host=/run/postgresql']],
    ['postgres://svc:p%40w@a,b:6432/svc', ['postgres://svc:p%40w@a/svc', 'postgres://svc:p%40w@b:6432/svc']],
    [
      'postgres://a:5432,[::1]:5433/svc?sslmode=no-verify&target_session_attrs=read-write',
      ['postgres://a:5432/svc?sslmode=no-verify', 'postgres://[::1]:5433/svc?sslmode=no-verify'],
    ],
    ['postgres://a,b/svc?target_session_attrs=primary', ['postgres://a/svc', 'postgres://b/svc']],
  ])('names its servers: %s', (url, servers) => {
    expect(serverUrls(url)).toEqual(servers);
  });

  it.each([
    'db:5432',
    'mysql://db/svc',
    'postgres://a,/svc',
    'postgres://a,,b/svc',
    'postgres://a:99999,b/svc',
    'postgres://a,b/svc?target_session_attrs=read-only',
  ])('is refused: %s', (url) => {
    expect(serverUrls(url)).toBeNull();
  });
});

it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'with sslmode=%s, the certificate is checked, and the driver has nothing to warn of',
  async (mode) => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    try {
      const [url] = serverUrls(`postgres://svc:p%40w@a/svc?application_name=a%20b&sslmode=${mode}`) ?? [];
      const client = new pg.Client({ connectionString: url });
      expect(client.ssl).toEqual({});
      expect([client.user, client.password, client.host, client.database]).toEqual(['svc', 'p@w', 'a', 'svc']);
      // Warnings come a turn later.
      await nextTurn();
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', note);
    }
  },
);

it.each(['sslmode=disable', 'sslmode=no-verify', 'sslmode=require&uselibpqcompat=true'])('leaves %s as it is', (mode) =>
  expect(serverUrls(`postgres://a/svc?${mode}`)).toEqual([`postgres://a/svc?${mode}`]),
);

it('goes on to the next server once, however many notice that one is away, and starts over after the last', () => {
  const servers = createServers('postgres://a,b/svc');
  const first = servers.url();
  servers.leave(first);
  servers.leave(first);
  expect(servers.url()).toBe('postgres://b/svc');
  servers.leave('postgres://b/svc');
  expect(servers.url()).toBe(first);
});
