import { expect, it } from 'vitest';
import { clickIdOn, trackerOn } from '../test/visitor.ts';
import { describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();

/** A page with the variant for Stripe, and markup that stands in for Stripe's. */
function pathOf(programId: number, markup: string, attributes = ''): string {
  const tag = `<script async src="${world.front.url}/js/svc-tracker-stripe.js" data-svc-program-id="${programId}" ${attributes}></script>`;
  return world.site.path('script', { tag: tag + markup });
}

/** Counts how often an element is drawn, with the attribute it has then. */
const STRIPE_JS = `<script>
  for (const name of ['stripe-pricing-table', 'stripe-buy-button']) customElements.define(name, class extends HTMLElement {
    connectedCallback() { this.textContent = this.getAttribute('client-reference-id') ?? 'without'; }
  });
</script>`;

const LINKS = `<a id="stripe" href="https://buy.stripe.com/test_1?locale=de">Buy</a>
<a id="own-domain" data-svc-pay href="https://pay.acme.test/test_2"><b>Buy</b></a>
<a id="own-reference" href="https://buy.stripe.com/test_3?client_reference_id=user_7">Buy</a>
<a id="other" href="https://buy.stripe.com.evil.test/">Buy</a>`;

describeInBrowser('the script for Stripe', () => {
  it('adds the click to payment links when they are used, and to no others', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = pathOf(program.program.id, LINKS);
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));

    const hrefs: Record<string, string | null> = {};
    for (const [id, button] of [
      ['stripe', 'left'],
      ['own-domain', 'right'],
      ['own-reference', 'left'],
      ['other', 'left'],
    ] as const) {
      await page.click(`#${id}`, { button });
      hrefs[id] = await page.getAttribute(`#${id}`, 'href');
    }

    expect(hrefs).toEqual({
      stripe: `https://buy.stripe.com/test_1?locale=de&client_reference_id=${clickId}`,
      'own-domain': `https://pay.acme.test/test_2?client_reference_id=${clickId}`,
      'own-reference': 'https://buy.stripe.com/test_3?client_reference_id=user_7',
      other: 'https://buy.stripe.com.evil.test/',
    });
    expect(visitor.pageErrors).toEqual([]);
  });

  it('sets the reference of pricing tables and buy buttons, also of those that are drawn already or come later', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const markup = `${STRIPE_JS}<stripe-pricing-table pricing-table-id="prctbl_1"></stripe-pricing-table>
      <stripe-buy-button id="own" client-reference-id="user_7"></stripe-buy-button>`;
    const path = pathOf(program.program.id, markup);
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);
    await page.evaluate(() => {
      document.body.append(document.createElement('stripe-buy-button'));
    });

    await page.getByText(clickId).nth(1).waitFor();
    expect(await page.locator('stripe-pricing-table').evaluate((element) => element.outerHTML)).toBe(
      `<stripe-pricing-table pricing-table-id="prctbl_1" client-reference-id="${clickId}">${clickId}</stripe-pricing-table>`,
    );
    expect(await page.locator('stripe-buy-button').allTextContents()).toEqual(['user_7', clickId]);
    expect(visitor.pageErrors).toEqual([]);
  });

  it('adds nothing without a click, without consent, or if the cookie is not a reference that Stripe accepts', async () => {
    const program = await world.program();
    const { id } = program.program;
    for (const [cookie, attributes] of [
      ['', ''],
      ['cust_1_2', 'data-svc-consent="denied"'],
      ['a%20b', ''],
    ]) {
      const visitor = await world.visitor();
      if (cookie) {
        const domain = { domain: '.acme.test', path: '/' };
        await visitor.context.addCookies([{ name: 'svc_click_id', value: cookie, ...domain }]);
      }
      const path = pathOf(id, `${LINKS}<stripe-pricing-table></stripe-pricing-table>`, attributes);
      const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
      await trackerOn(page);
      await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
      await page.click('#stripe');

      expect(await page.getAttribute('#stripe', 'href')).toBe('https://buy.stripe.com/test_1?locale=de');
      expect(await page.locator('stripe-pricing-table').getAttribute('client-reference-id')).toBeNull();
    }
  });

  it('works beside the plain script, whichever loads first', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const plain = `<script src="${world.front.url}/js/svc-tracker.js" data-svc-program-id="${program.program.id}"></script>`;
    const path = pathOf(program.program.id, plain + LINKS);
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
    await page.click('#stripe');

    expect(await page.getAttribute('#stripe', 'href')).toContain(`client_reference_id=${clickId}`);
    expect(visitor.clicks).toHaveLength(1);
  });
});
