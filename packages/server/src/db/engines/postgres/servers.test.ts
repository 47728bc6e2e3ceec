import { describe, expect, it } from 'vitest';
import { createServers, serverUrls } from './servers.ts';

describe('a connection string', () => {
  it.each([
    ['postgres://svc:pw@db:5432/svc', ['postgres://svc:pw@db:5432/svc']],
    ['postgresql:///svc?host=/run/postgresql', ['postgresql:///svc?host=/run/postgresql']],
    ['postgres://svc:p%40w@a,b:6432/svc', ['postgres://svc:p%40w@a/svc', 'postgres://svc:p%40w@b:6432/svc']],
    [
      'postgres://a:5432,[::1]:5433/svc?sslmode=require&target_session_attrs=read-write',
      ['postgres://a:5432/svc?sslmode=require', 'postgres://[::1]:5433/svc?sslmode=require'],
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

it('goes on to the next server once, however many notice that one is away, and starts over after the last', () => {
  const servers = createServers('postgres://a,b/svc');
  const first = servers.url();
  servers.leave(first);
  servers.leave(first);
  expect(servers.url()).toBe('postgres://b/svc');
  servers.leave('postgres://b/svc');
  expect(servers.url()).toBe(first);
});
