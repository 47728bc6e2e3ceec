import { throwAwayCertificate } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { TestService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Front } from '../test/front.ts';
import { Site } from '../test/site.ts';
import { WebKit } from '../test/webkit.ts';
import { BUILDS, bundled } from '../test/world.ts';

// `npm run test:webkit` looks for the browser and says where it is.
const binary = process.env.SVC_WEBKIT ?? '';
const service = new TestService();
const webkit = new WebKit();
let front: Front;
let site: Site;
/** Nobody maps host names for this browser; it takes all below `localhost` for this machine. */
const serviceUrl = () => front.url.replace('track.test', 'track.localhost');
const origin = () => site.origin('www.acme.localhost');

beforeAll(async () => {
  const certificate = await throwAwayCertificate();
  front = new Front(certificate, service);
  await front.listen();
  await service.open({ SVC_BASE_URL: serviceUrl() });
  site = new Site(certificate, { '/package.js': await bundled('index') });
  await site.listen(serviceUrl());
  await webkit.open(binary);
});
beforeEach(() => webkit.deleteCookies());
afterAll(async () => {
  await webkit.close();
  site.close();
  front.close();
  await service.service.close();
});

const clickId = () =>
  eventually(
    () => webkit.evaluate<string | null>('window.svc && svc.getClickId && svc.getClickId()'),
    (found) => Boolean(found),
  );

describe.each(BUILDS)('in WebKit, the %s', (build) => {
  it('reports a click, keeps its id on the root domain, reports the signup, and the sale pays the partner', async () => {
    const made = await service.program({ allowedOrigins: [origin()] });
    const path = site.path(build, { programId: made.program.id });
    await webkit.visit(`${origin()}${path}?aff=${made.link}`);

    const id = await clickId();
    const cookie = (await webkit.cookies()).find(({ name }) => name === 'svc_click_id');
    expect(cookie).toMatchObject({ value: id, secure: true });
    expect(cookie?.domain.replace(/^\./, '')).toBe('acme.localhost');
    expect(await webkit.evaluate(`svc.signup('user_${build}', 'ann@example.com')`)).toMatchObject({ success: true });
    const sale = { transaction_id: `order_${build}`, customer_key: `user_${build}`, amount_cents: 4900 };
    expect((await service.sale(sale, { key: made.apiKey })).body.data).toMatchObject({
      attributed: true,
      commission_cents: 980,
    });

    await webkit.visit(`${origin()}${path}`);
    expect(await clickId()).toBe(id);
  });

  it('keeps a click that a redirect has recorded, reports no second one, and cleans the address', async () => {
    const made = await service.program({ allowedOrigins: [origin()] });
    const recorded = await service.clickId(made.link);
    const path = site.path(build, { programId: made.program.id });
    await webkit.visit(`${origin()}${path}?plan=pro&aff=${made.link}&svc_click_id=${recorded}#top`);

    expect(await clickId()).toBe(recorded);
    const address = () => webkit.evaluate<string>('location.search + location.hash');
    expect(await eventually(address, (found) => !found.includes('svc_click_id'))).toBe('?plan=pro#top');
    await webkit.evaluate(`svc.signup('user_${build}_2')`);
    const rows = await service.sql('select partner_id from clicks where program_id = $1', [made.program.id]);
    expect(rows).toEqual([{ partner_id: made.partnerId }]);
  });

  it('does not hold a page that awaits a signup without consent', async () => {
    const made = await service.program({ allowedOrigins: [origin()] });
    const path = site.path(build, { programId: made.program.id, consent: 'pending' });
    await webkit.visit(`${origin()}${path}?aff=${made.link}`);
    const started = () => webkit.evaluate<boolean>('Boolean(window.svc && svc.getData)');
    await eventually(started, Boolean);

    expect(await webkit.evaluate(`svc.signup('user_1').then((answer) => answer ?? 'no answer')`)).toBe('no answer');
    expect((await webkit.cookies()).filter(({ name }) => name.startsWith('svc_'))).toEqual([]);
  });
});

describe.each([...BUILDS, null])(
  'in WebKit, a visit through a short address to a page with the tracker as %s',
  (build) => {
    it('is one click, which the page keeps', async () => {
      const made = await service.program({ allowedOrigins: [origin()] });
      const options = build === null ? { tag: '' } : { programId: made.program.id };
      const url = `${origin()}${site.path(build ?? 'script', options)}`;
      await service.sql('update links set destination_url = $2 where short_link = $1', [made.link, url]);
      await webkit.visit(`${serviceUrl()}/r/${made.link}?plan=pro`);

      const search = () => webkit.evaluate<string>('location.search');
      const inAddress = new URLSearchParams(await search()).get('svc_click_id');
      if (build !== null) {
        const kept = await clickId();
        expect(await eventually(search, (found) => !found.includes('svc_click_id'))).toBe('?plan=pro');
        await webkit.visit(url);
        expect(await clickId()).toBe(kept);
        await webkit.evaluate(`svc.signup('user_${build}_3')`);
      }
      const rows = await service.sql<{ customer: number; partner: number }>(
        'select customer_id as customer, partner_id as partner from clicks where program_id = $1',
        [made.program.id],
      );
      expect(rows).toEqual([{ customer: expect.any(Number), partner: made.partnerId }]);
      expect(build === null ? inAddress : await clickId()).toMatch(new RegExp(`^cust_${rows[0]?.customer}_\\d+$`));
    });
  },
);

describe('in WebKit, the script of a program', () => {
  it.each(['via', 'fpr', '_get', 'ps_partner_key'])('credits the partner whom %s names', async (parameter) => {
    const linkParameters = ['via', 'fpr', '_get', 'ps_partner_key'];
    const made = await service.program({ allowedOrigins: [origin()], linkParameters });
    const { id } = made.program;
    const tag = `<script async src="${serviceUrl()}/js/svc-tracker-${id}.js" data-svc-program-id="${id}"></script>`;
    await webkit.visit(`${origin()}${site.path('script', { tag })}?${parameter}=${made.link}`);
    await clickId();
    const rows = await service.sql('select partner_id from clicks where program_id = $1', [id]);
    expect(rows).toEqual([{ partner_id: made.partnerId }]);
  });
});

describe('in WebKit, the script for Stripe', () => {
  it('adds the click to a payment link and to a pricing table', async () => {
    const made = await service.program({ allowedOrigins: [origin()] });
    const tag = `<script async src="${serviceUrl()}/js/svc-tracker-stripe.js" data-svc-program-id="${made.program.id}"></script>
      <a href="https://buy.stripe.com/test_1">Buy</a><stripe-pricing-table></stripe-pricing-table>`;
    const path = site.path('script', { tag });
    await webkit.visit(`${origin()}${path}?aff=${made.link}`);

    const id = await clickId();
    const used = `(() => { const link = document.querySelector('a');
      addEventListener('click', (event) => event.preventDefault());
      link.click();
      return [link.href, document.querySelector('stripe-pricing-table').getAttribute('client-reference-id')]; })()`;
    expect(await webkit.evaluate(used)).toEqual([`https://buy.stripe.com/test_1?client_reference_id=${id}`, id]);
  });
});
