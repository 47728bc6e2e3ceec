import type { AddressInfo } from 'node:net';
import { beforeAll, expect, inject, it } from 'vitest';
import { expressRelay } from '../../node/src/relay.ts';
import { blockedBy, easyPrivacy, type Kind } from '../test/block-list.ts';
import { clickIdOn, type Visitor } from '../test/visitor.ts';
import { BUILDS, describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();
let apiUrl = '';

beforeAll(async () => {
  if (!inject('browser')) return;
  await world.service.service.http.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(world.service.service.http.server.address() as AddressInfo).port}`;
  world.service.time = new Date();
});

const KINDS: Record<string, Kind> = {
  document: 'document',
  script: 'script',
  fetch: 'xmlhttprequest',
  xhr: 'xmlhttprequest',
};

/** A visitor whose browser blocks what EasyPrivacy's general rules say, and the rules that were used. */
async function carefulVisitor(): Promise<{ visitor: Visitor; used: string[] }> {
  const visitor = await world.visitor();
  const used: string[] = [];
  await visitor.context.route('**', async (route) => {
    const rule = blockedBy(easyPrivacy, route.request().url(), KINDS[route.request().resourceType()] ?? 'other');
    if (rule === undefined) return route.continue();
    used.push(rule);
    return route.abort('blockedbyclient');
  });
  return { visitor, used };
}

describeInBrowser('with EasyPrivacy in the browser', () => {
  it.each(BUILDS)('the click and the signup of the %s arrive, and the path of the API is blocked', async (build) => {
    const program = await world.program();
    const { visitor, used } = await carefulVisitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);

    await clickIdOn(page);
    expect(await page.evaluate(() => window.svc.signup('user_1'))).toMatchObject({ success: true });
    expect(used).toEqual([]);
    const toTheApi = page.evaluate(
      (url) => fetch(url, { method: 'POST', body: '{}' }).then(() => 'answered'),
      `${world.front.url}/api/v1/track/click`,
    );
    await expect(toTheApi).rejects.toThrow('Failed to fetch');

    expect(used).toEqual(['/api/v1/track/*']);
    expect((await world.stored(program)).customers).toMatchObject([{ customer_key: 'user_1', status: 'lead' }]);
  });

  it('the package reports to another path that it is told, and says so if it is told no service', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const open = (options: object) => {
      const path = world.site.path('package', { programId: program.program.id, ...options });
      return visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    };
    await Promise.all([
      visitor.context.waitForEvent('request', (sent) => sent.url().endsWith('/q9/c')),
      open({ reportPath: '/q9' }),
    ]);
    await open({ apiBase: null });
    expect(visitor.console).toContainEqual(expect.stringContaining('[svc] no apiBase'));
    expect((await world.stored(program)).clicks).toEqual([]);
  });

  it('they arrive through a relay', async () => {
    const program = await world.program();
    const { visitor, used } = await carefulVisitor();
    world.site.relay = expressRelay({
      apiUrl,
      apiKey: program.apiKey,
      programId: program.program.id,
    }) as unknown as typeof world.site.relay;
    const tag = `<script async src="/relay/js/svc-tracker-${program.program.id}.js" data-svc-program-id="${program.program.id}"></script>`;
    const path = world.site.path('script', { tag });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);

    await clickIdOn(page);
    expect(await page.evaluate(() => window.svc.signup('user_1'))).toMatchObject({ success: true });

    expect(used).toEqual([]);
    const { clicks, customers } = await world.stored(program);
    expect(clicks).toHaveLength(1);
    expect(customers).toMatchObject([{ customer_key: 'user_1', status: 'lead', partner_id: program.partnerId }]);
  });
});
