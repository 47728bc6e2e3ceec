import { readFileSync } from 'node:fs';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { expect, it } from 'vitest';
import { clickIdOn, trackerOn } from '../test/visitor.ts';
import { describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();
const docs = readFileSync(new URL('../../../docs/integrations.md', import.meta.url), 'utf8');

/** What stands under a heading of the template for Google Tag Manager. */
async function partsOfTemplate(): Promise<Record<string, string>> {
  const { text } = await world.service.call('GET', '/integrations/svc-gtm.tpl');
  const [, ...parts] = text.split(/^___([A-Z_]+)___$/m);
  return Object.fromEntries(
    parts.flatMap((part, index) => (index % 2 === 0 ? [[part, (parts[index + 1] ?? '').trim()]] : [])),
  );
}

/** Code of the docs under a heading, with the service and program of the test. */
const codeUnder = (heading: string, programId: number) => {
  const section = docs.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```html\n([\s\S]*?)```/g)].map(([, code = '']) =>
    code.replaceAll('https://track.example.com', world.front.url).replaceAll('"42"', `"${programId}"`),
  );
};

/** The functions that Google Tag Manager gives to templates, on a page. */
const SANDBOX = `
  window.consented = false;
  window.listeners = [];
  window.require = (name) => ({
    createQueue: (key) => (value) => (window[key] = window[key] || []).push(value),
    injectScript: (url, done, failed) => {
      const script = Object.assign(document.createElement('script'), { src: url, async: true, onload: done, onerror: failed });
      document.head.append(script);
    },
    isConsentGranted: () => window.consented,
    addConsentListener: (type, listener) => window.listeners.push((granted) => listener(type, granted)),
  })[name];`;

describeInBrowser('the template for Google Tag Manager', () => {
  it('asks for permission to load the tracker of this installation, and for nothing else', async () => {
    const parts = await partsOfTemplate();
    expect(Object.keys(parts)).toEqual([
      'TERMS_OF_SERVICE',
      'INFO',
      'TEMPLATE_PARAMETERS',
      'SANDBOXED_JS_FOR_WEB_TEMPLATE',
      'WEB_PERMISSIONS',
      'TESTS',
      'NOTES',
    ]);
    expect(JSON.parse(parts.INFO ?? '')).toMatchObject({ type: 'TAG', containerContexts: ['WEB'] });
    const names = JSON.parse(parts.TEMPLATE_PARAMETERS ?? '').map(({ name }: { name: string }) => name);
    const code = parts.SANDBOXED_JS_FOR_WEB_TEMPLATE ?? '';
    for (const [, used] of code.matchAll(/\bdata\.(?!gtm)(\w+)/g)) expect(names).toContain(used);
    const permissions: { instance: { key: { publicId: string }; param: unknown[] } }[] = JSON.parse(
      parts.WEB_PERMISSIONS ?? '',
    );
    expect(permissions.map(({ instance }) => instance.key.publicId)).toEqual([
      'inject_script',
      'access_globals',
      'access_consent',
    ]);
    const urls = JSON.stringify(permissions[0]).match(/https:[^"]+/g);
    expect(urls).toEqual([`${world.front.url}/js/svc-tracker-*`]);
    expect(code).toContain(`'${urls?.[0]?.replace('*', '')}' + data.programId + '.js';`);
  });

  it('reports a click and a signup, and waits for consent if it is told to', async () => {
    const program = await world.program({ linkParameters: ['via'] });
    const { SANDBOXED_JS_FOR_WEB_TEMPLATE: code = '' } = await partsOfTemplate();
    const visitor = await world.visitor();
    const path = world.site.path('script', { tag: `<script>${SANDBOX}</script>` });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?via=${program.link}`);
    const fire = (data: object) =>
      page.evaluate(
        ([body, given]) =>
          new Promise<void>((resolve, reject) => {
            const data = { ...(given as object), gtmOnSuccess: resolve, gtmOnFailure: reject };
            new Function('data', body as string)(data);
          }),
        [code, data],
      );

    await fire({ action: 'track', programId: String(program.program.id), waitsForConsent: true });
    await fire({ action: 'signup', customerKey: 'user_1', email: 'ann@example.com' });
    await trackerOn(page);
    expect([visitor.clicks, await visitor.cookies()]).toEqual([[], {}]);
    await page.evaluate(() => (window as never as { listeners: ((is: boolean) => void)[] }).listeners[0]?.(true));
    await clickIdOn(page);

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'user_1' }]);
    expect(visitor.pageErrors).toEqual([]);
  });
});

describeInBrowser.each(['Webflow', 'Framer'])('the code for %s', (builder) => {
  it('reports a click and the signup of a form', async () => {
    const program = await world.program();
    const [tag = ''] = codeUnder('Webflow', program.program.id);
    const form = codeUnder(builder, program.program.id).at(-1);
    const visitor = await world.visitor();
    const markup = `<form id="signup" action="javascript:void 0"><input name="email"><button>Join</button></form>`;
    const path = world.site.path('script', { tag: `${tag}</head><body>${markup}${form}` });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await clickIdOn(page);

    await page.fill('[name=email]', 'ann@example.com');
    await page.click('text=Join');

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'ann@example.com' }]);
    expect(visitor.pageErrors).toEqual([]);
  });
});
