import { fileURLToPath } from 'node:url';
import {
  type BrowserOptions,
  type FoundBrowser,
  findBrowser,
  Profiles,
  sharedBrowser,
  throwAwayCertificate,
} from '@svc/testkit';
import { type TestProgram, TestService } from '@svc/testkit/service/service.ts';
import { build as bundle } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest';
import type * as tracker from '../src/index.ts';
import { Front } from './front.ts';
import { Site } from './site.ts';
import { Visitor } from './visitor.ts';

export type Build = 'script' | 'package';
export const BUILDS: Build[] = ['script', 'package'];
/** The builds for tests of the code that both share. The long version of the suite runs them with both. */
export const SHARED_CODE: Build[] = process.env.SVC_TEST_LONG ? BUILDS : ['script'];
export type TrackerApi = typeof tracker;

/** Host names of the test shop; programs allow them all. */
const HOSTS = [
  'acme.test',
  'www.acme.test',
  'app.acme.test',
  'www.acme.co.uk',
  'app.acme.co.uk',
  'deep.down.acme.com',
  'acme.github.io',
  'localhost',
  '127.0.0.1',
];

/** Tests that need a browser; skipped when none starts, for the reason that the setup prints. */
export const describeInBrowser: typeof describe = describe.skipIf(inject('browser') === null) as typeof describe;

// Created once for all test files of a worker.
let certificate: ReturnType<typeof throwAwayCertificate> | undefined;
let files: Promise<[packageFile: string, reactFile: string]> | undefined;

/** The service behind TLS, a shop that uses it, and a browser in which every host name resolves to this machine. */
export class World {
  readonly service = new TestService();
  front!: Front;
  site!: Site;
  found!: FoundBrowser;
  browser!: Browser;
  readonly #visitors: Visitor[] = [];
  #profiles!: Profiles;

  async open(options: BrowserOptions = {}, env: Record<string, string> = {}): Promise<void> {
    if (!inject('browser')) return;
    // The light one has no back/forward cache.
    const found = options.backForwardCache ? (await findBrowser('complete')).found : inject('browser');
    if (!found) return;
    this.found = found;
    certificate ??= throwAwayCertificate();
    files ??= Promise.all([bundled('index'), reactPage()]);
    const [packageFile, reactFile] = await files;
    this.front = new Front(await certificate, this.service);
    await this.front.listen();
    await this.service.open({ SVC_BASE_URL: this.front.url, ...env });
    this.site = new Site(await certificate, { '/package.js': packageFile, '/react-page.js': reactFile });
    await this.site.listen(this.front.url);
    this.browser = await sharedBrowser(found, options);
    this.#profiles = new Profiles(this.browser, { ignoreHTTPSErrors: true });
  }

  async close(): Promise<void> {
    await this.#profiles?.close();
    this.site?.close();
    this.front?.close();
    await this.service.service?.close();
  }

  async visitor(): Promise<Visitor> {
    const visitor = new Visitor(await this.#profiles.take());
    this.#visitors.push(visitor);
    return visitor;
  }

  async closeVisitors(): Promise<void> {
    for (const visitor of this.#visitors.splice(0)) {
      const profile = visitor.leave();
      if (visitor.isProfileChanged) await profile.context.close();
      else await this.#profiles.giveBack(profile);
    }
  }

  program(settings: Parameters<TestService['program']>[0] = {}): Promise<TestProgram> {
    const allowedOrigins = HOSTS.flatMap((host) => [this.site.origin(host), this.site.origin(host, 'http')]);
    return this.service.program({ allowedOrigins, ...settings });
  }

  /** What the service stored about a program's visitors, oldest first. */
  async stored({ program }: TestProgram) {
    const customers = await this.service.sql(
      `select id, partner_id, customer_key, status, email_masked from customers where program_id = $1 order by id`,
      [program.id],
    );
    const clicks = await this.service.sql(
      `select customer_id, partner_id, affiliate_url, referrer_url from clicks where program_id = $1 order by id`,
      [program.id],
    );
    return { customers, clicks };
  }
}

/** Opens a world before the tests of a file and closes it afterwards. */
export function startWorld(options?: BrowserOptions, env?: Record<string, string>): World {
  const world = new World();
  beforeAll(() => world.open(options, env));
  beforeEach(() => {
    if (world.front) Object.assign(world.front, { isDown: false, isHanging: false });
  });
  afterEach(() => world.closeVisitors());
  afterAll(() => world.close());
  return world;
}

/** A module of the built package with everything it imports, for a page. */
export async function bundled(entry: 'index' | 'react', globalEntry?: string): Promise<string> {
  const { outputFiles } = await bundle({
    ...(globalEntry
      ? { stdin: { contents: globalEntry, resolveDir: fileURLToPath(new URL('..', import.meta.url)) } }
      : { entryPoints: [fileURLToPath(new URL(`../dist/${entry}.js`, import.meta.url))] }),
    bundle: true,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** A small React application: the provider around a component that shows the hook's data and signs visitors up. */
function reactPage(): Promise<string> {
  return bundled(
    'react',
    `import { createElement as h, StrictMode } from 'react';
     import { createRoot } from 'react-dom/client';
     import { SvcProvider, useSvc } from './dist/react.js';
     function Account() {
       const { clickId, hasAttribution, signup } = useSvc();
       return h('main', null,
         h('output', null, hasAttribution ? clickId : 'nobody'),
         h('button', { onClick: () => signup('react_user', 'ann@example.com') }, 'Sign up'));
     }
     globalThis.start = (options) => createRoot(document.body).render(
       h(StrictMode, null, h(SvcProvider, options, h(Account))));`,
  );
}
