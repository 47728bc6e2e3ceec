import { useService } from '@svc/testkit/service/service.ts';
import { untilChangesAreKnown } from '@svc/testkit/service/stores/until-changes-are-known.ts';
import { expect, it } from 'vitest';

const service = useService({ SVC_RATE_LIMITS: 'click=2,manage=3' });

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const open = (link: string, ip: string) => service.call('GET', `/r/${link}`, { ip, headers: { 'user-agent': CHROME } });

it('visitors count against the limit of clicks; over it they are redirected with aff alone, and no click is recorded', async () => {
  const made = await service.program();
  const alone = `https://acme.test/?aff=${made.link}`;
  expect((await open(made.link, '192.0.2.1')).headers.location).toContain('svc_click_id=');
  const reported = await service.click({ affiliate_url: alone }, { ip: '192.0.2.1' });
  expect(reported.headers['x-ratelimit-remaining']).toBe('0');
  for (let more = 0; more < 3; more += 1) {
    const { status, headers } = await open(made.link, '192.0.2.1');
    expect([status, headers.location]).toEqual([302, alone]);
  }
  expect(await service.counts(made.program.id)).toMatchObject({ clicks: 2 });
  expect((await open(made.link, '192.0.2.2')).headers.location).toContain('svc_click_id=');
});

it('over the limit the store is not asked for links that are not in memory: 429, and when to come again', async () => {
  const { link } = await service.program();
  await untilChangesAreKnown(service.ctx.db);
  for (let guess = 0; guess < 2; guess += 1) expect((await open(`guess-${guess}`, '192.0.2.3')).status).toBe(404);
  const { status, headers } = await open(link, '192.0.2.3');
  expect([status, headers['cache-control']]).toEqual([429, 'no-store']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await open('guess-0', '192.0.2.3')).status).toBe(404);
  expect((await open(link, '192.0.2.4')).status).toBe(302);
  expect((await open(link, '192.0.2.3')).status).toBe(302);
});

it('HEAD, which leaves no click, has a limit of its own; over it, links are answered from memory, and others not at all', async () => {
  const [made, unseen] = [await service.program(), await service.program()];
  await untilChangesAreKnown(service.ctx.db);
  const ask = (link: string) => service.call('HEAD', `/r/${link}`, { ip: '192.0.2.5' });
  for (let asked = 0; asked < 6; asked += 1) {
    const { status, headers } = await ask(made.link);
    expect([status, headers.location]).toEqual([302, `https://acme.test/?aff=${made.link}`]);
  }
  const { status, headers } = await ask(unseen.link);
  expect([status, headers.location]).toEqual([429, undefined]);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await open(made.link, '192.0.2.5')).headers.location).toContain('svc_click_id=');
});
