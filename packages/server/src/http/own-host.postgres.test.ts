import { activeHost } from '@svc/testkit/service/dns.ts';
import { type TestProgram, TestService } from '@svc/testkit/service/service.ts';
import { type Severable, severable } from '@svc/testkit/service/stores/severable.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const service = new TestService();
const second = new TestService();
let line: Severable;
let made: TestProgram;
let host: string;

beforeAll(async () => {
  const url = await newPostgres();
  line = await severable(url);
  // A tenth of what visitors wait otherwise, so that no test depends on how busy the machine is: it has to end at all.
  await service.open({ DATABASE_URL: line.url }, { redirectMs: 15 });
  await second.open({ DATABASE_URL: url });
  made = await service.program();
  host = await activeHost(service, made);
});
afterAll(async () => {
  line?.resume();
  await service.service?.close();
  await second.service?.close();
  await line?.close();
});

const open = (path: string) =>
  service.call('GET', path, { headers: { host, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' } });

it('while the database hangs, visitors are led to the site with the code of the link', async () => {
  line.hang();
  const locations = await Promise.all(
    [`/${made.link}?utm_source=mail`, `/?aff=${made.link}`, '/', '/?utm_source=mail'].map(
      async (path) => (await open(path)).headers.location,
    ),
  );
  expect(locations).toEqual([
    `https://acme.test/?utm_source=mail&aff=${made.link}`,
    `https://acme.test/?aff=${made.link}`,
    'https://acme.test/',
    'https://acme.test/?utm_source=mail',
  ]);
  const allowed = await service.call('GET', `/internal/tls-allowed?domain=${host}`);
  expect(allowed.status).toBe(200);

  line.resume();
  await expect.poll(async () => (await open(`/${made.link}`)).headers.location).toContain('svc_click_id=');
});

it('what another node changes while this one cannot hear it holds here once it can', async () => {
  line.cut();
  const other = await second.program();
  await second.sql('update link_domains set program_id = $2 where host = $1', [host, other.program.id]);
  expect(service.ctx.lookup.hosts.find(host)?.programId).toBe(made.program.id);
  line.restore();
  await expect.poll(() => service.ctx.lookup.hosts.find(host)?.programId).toBe(other.program.id);
});
