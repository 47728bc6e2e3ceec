import { eventually } from '@svc/testkit/service/eventually.ts';
import { expect, it } from 'vitest';
import { describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();

function reactTag(options: object): string {
  return `<script type="module">
    import '/react-page.js';
    start(${JSON.stringify({ apiBase: world.front.url, ...options })});
  </script>`;
}

describeInBrowser('the React provider and hook', () => {
  it('report the click, show it when it is recorded, and report signups', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path('package', { tag: reactTag({ programId: program.program.id }) });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);

    await page.waitForFunction(() => document.querySelector('output')?.textContent?.startsWith('cust_'));
    await page.click('button');

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([
      { partner_id: program.partnerId, customer_key: 'react_user', email_masked: 'a***@example.com' },
    ]);
    // Strict mode runs effects twice, but the click is reported once.
    expect(visitor.clicks).toHaveLength(1);
  });

  it('recognize the visitor of an earlier page', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path('package', { tag: reactTag({ programId: program.program.id }) });
    const url = `${world.site.origin('www.acme.test')}${path}`;
    const page = await visitor.open(`${url}?aff=${program.link}`);
    await page.waitForFunction(() => document.querySelector('output')?.textContent?.startsWith('cust_'));
    const shown = await page.textContent('output');

    await page.goto(url);
    await page.waitForFunction((id) => document.querySelector('output')?.textContent === id, shown);
    expect(visitor.clicks).toHaveLength(1);
  });

  it('show no visitor while consent is pending', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path('package', { tag: reactTag({ programId: program.program.id, consent: 'pending' }) });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await page.waitForLoadState('networkidle');

    expect(await page.textContent('output')).toBe('nobody');
    expect(visitor.clicks).toEqual([]);
  });
});
