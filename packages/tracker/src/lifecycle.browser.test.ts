import { openUndriven } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { expect, it, onTestFinished } from 'vitest';
import { clickIdOn, queueDone, trackerOn } from '../test/visitor.ts';
import { describeInBrowser, SHARED_CODE, startWorld } from '../test/world.ts';

const world = startWorld({ backForwardCache: true });

describeInBrowser.each(SHARED_CODE)('during the lifecycle of a page, the %s', (build) => {
  it('sends nothing again when the page is restored from the back/forward cache', async ({ skip }) => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const origin = world.site.origin('www.acme.test');
    const page = await visitor.open(`${origin}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);
    await page.evaluate(() => {
      addEventListener('pageshow', (event) => {
        document.title = event.persisted ? 'restored' : 'loaded';
      });
    });

    await page.goto(`${world.site.origin('elsewhere.test')}${path}`);
    await page.goBack({ waitUntil: 'commit' });
    await trackerOn(page);
    if ((await page.title()) !== 'restored') {
      console.log('Skipped: this Chromium does not keep pages in a back/forward cache.');
      skip('this Chromium has no back/forward cache');
    }
    await queueDone(page);

    expect(visitor.clicks).toHaveLength(1);
    expect((await world.stored(program)).clicks).toHaveLength(1);
    expect(await page.evaluate(() => window.svc.getClickId())).toBe(clickId);
  });

  it('sends nothing while the page is prerendered, and reports once when it is shown', async ({ skip }) => {
    const program = await world.program();
    // Over plain HTTP, where there are no browser locks that could hold anything back.
    const origin = world.site.origin('www.acme.test', 'http');
    const token = program.link;
    // No test drives these pages: they report their progress to the site themselves.
    const head = `<script>
      const when = (isTrue, then) => (isTrue() ? then() : setTimeout(when, 10, isTrue, then));
      if (document.prerendering) when(() => window.svc && svc.getData, () => fetch('/prerendered.js?${token}'));
      addEventListener('svc', () => svc.getClickId() && svc.signup('after').then(() => fetch('/queueDone.js?${token}')));
    </script>`;
    const target = `${world.site.path(build, { programId: program.program.id, head })}?aff=${program.link}`;
    const rules = JSON.stringify({ prerender: [{ source: 'list', urls: [target], eagerness: 'immediate' }] });
    const start = world.site.path(build, {
      programId: program.program.id,
      head: `<script type="speculationrules">${rules}</script><script>
        const ask = async () => ((await fetch('/go/${token}')).ok ? (location.href = '${target}') : setTimeout(ask, 20));
        ask();
      </script>`,
    });
    const requestsTo = (path: string) => world.site.requests.filter((request) => request.startsWith(path));

    const end = await openUndriven(world.found, `${origin}${start}`);
    onTestFinished(end);
    await eventually(
      () => requestsTo(`/prerendered.js?${token}`).length,
      (count) => count > 0,
      10_000,
    );
    if (requestsTo(`/prerendered.js?${token}`).length === 0) {
      console.log('Skipped: this Chromium does not prerender pages.');
      skip('this Chromium does not prerender');
    }
    expect((await world.stored(program)).clicks).toEqual([]);

    world.site.put(`/go/${token}`, '');
    await eventually(
      () => requestsTo(`/queueDone.js?${token}`).length,
      (count) => count > 0,
    );

    const { customers, clicks } = await world.stored(program);
    expect(clicks).toHaveLength(1);
    expect(customers).toMatchObject([{ customer_key: 'after', partner_id: program.partnerId }]);
    // The page that was shown is the one that had been prerendered.
    expect(requestsTo(target)).toHaveLength(1);
  });
});
