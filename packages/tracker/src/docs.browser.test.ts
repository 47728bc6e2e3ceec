import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { clickIdOn, trackerOn } from '../test/visitor.ts';
import { describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();
const text = readFileSync(new URL('../../../docs/tracker.md', import.meta.url), 'utf8');

/** The examples in a language, in order, with the service and program of the test filled in. */
function examples(language: string, programId: number): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code = '']) =>
    code
      .replaceAll('https://track.example.com', world.front.url)
      .replaceAll('"42"', `"${programId}"`)
      .replace(/programId(: |=\{)42/, `programId$1${programId}`),
  );
}

/** A page with markup and code that imports the package. */
async function pageOf(code: string, loader: 'js' | 'jsx', markup = ''): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    plugins: [
      {
        // Like the service, which writes its address into the package it serves.
        name: 'served-by-the-test',
        setup(bundler) {
          bundler.onLoad({ filter: /default-api-base\.js$/ }, () => ({
            contents: `export const DEFAULT_API_BASE = ${JSON.stringify(world.front.url)};`,
          }));
        },
      },
    ],
  });
  world.site.put('/example.js', outputFiles[0]?.text ?? '');
  return world.site.path('package', { tag: `${markup}<script defer src="/example.js"></script>` });
}

describeInBrowser('the examples in docs/tracker.md', () => {
  it('report a click and a signup with the script tag, including early calls', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const [tag = '', signup = '', stub = ''] = examples('html', program.program.id);
    const path = world.site.path('script', { tag: stub + tag + signup });

    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await clickIdOn(page);

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'user_1' }]);
    expect(visitor.pageErrors).toEqual([]);
  });

  it('ask for consent', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path('script', { tag: examples('html', program.program.id)[3] ?? '' });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await trackerOn(page);
    expect(visitor.clicks).toEqual([]);

    await page.getByText('Accept').click();
    await clickIdOn(page);
    await page.getByText('Refuse').click();

    expect(visitor.clicks).toHaveLength(1);
    expect(await visitor.cookies()).toEqual({});
  });

  it('work with the package', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const [code = ''] = examples('js', program.program.id);
    const path = await pageOf(code, 'js', '<button id="join">Join</button>');
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);

    await page.click('#join');

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'user_1' }]);
    await eventually(
      () => visitor.console,
      (lines) => lines.length > 0,
    );
    expect(visitor.console).toEqual([expect.stringMatching(/^log cust_/)]);
  });

  it('work with React', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const [code = ''] = examples('jsx', program.program.id);
    const start = `import { createRoot } from 'react-dom/client'; createRoot(document.body).render(<App />);`;
    const path = await pageOf(`${code}\n${start}`, 'jsx');
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);

    await page.getByText('Join with your discount').click();

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'user_1' }]);
  });
});
