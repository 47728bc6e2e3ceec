import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sharedBrowser } from '@svc/testkit';
import { TestService } from '@svc/testkit/service/service.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { inject } from 'vitest';
import type { Session } from '../../../demo/src/api-caller.ts';
import { addSampleData, type SampleData } from '../../../demo/src/sample-data.ts';
import { Person } from './person.ts';
import { SAME_EVERYWHERE, writeAlike } from './same-everywhere.ts';

/** Pages are shown as they are at this address and at this time, from the same sample program. */
export const ORIGIN = 'https://partners.kettle-and-grain.example';
export const NOW = new Date('2026-03-12T10:00:00Z');

/** Statements are set in its fonts. */
const SERVER = new URL('../../server/package.json', import.meta.url);
/** A font for code, because every machine has another one. */
const MONO = readFileSync(createRequire(SERVER).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'));
const MONO_PATH = '/fonts-of-screenshots/mono.ttf';
const STYLES = `
  @font-face { font-family: "Mono of screenshots"; src: url("${MONO_PATH}"); }
  :root { --font-mono: "Mono of screenshots"; }
  ${SAME_EVERYWHERE}`;

/** A service with the sample program, at a fixed time and address, for pages that look the same on every machine. */
export class SampleStage {
  readonly service = new TestService();
  sample!: SampleData;
  readonly #contexts: BrowserContext[] = [];

  /** Fewer visitors are added faster. */
  async open(visitorsShare = 1): Promise<void> {
    const { service } = this;
    service.time = NOW;
    // A store of its own, because pages show numbers that a used store would continue.
    await service.open({ SVC_BASE_URL: ORIGIN, DATABASE_URL: await newPostgres() });
    this.sample = await addSampleData(service.service, { set: (at) => (service.time = at) }, NOW, visitorsShare);
  }

  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    await this.service.service?.close();
  }

  /** A person whose browser finds the service at its address, although it listens nowhere. */
  async signedIn({ cookie }: Session, viewport: { width: number; height: number }, now = NOW): Promise<Person> {
    const found = inject('browser');
    if (!found) throw new Error('There is no browser');
    const browser = await sharedBrowser(found);
    const context = await browser.newContext({
      baseURL: ORIGIN,
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      colorScheme: 'light',
      viewport,
    });
    this.#contexts.push(context);
    await writeAlike(context);
    await context.route(`${ORIGIN}/**`, this.#answer);
    const cookies = cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url: ORIGIN };
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    return new Person({ context, page });
  }

  readonly #answer = async (route: Route): Promise<void> => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    if (pathname === MONO_PATH) return route.fulfill({ contentType: 'font/ttf', body: MONO });
    const { 'accept-encoding': _, ...headers } = await request.allHeaders();
    const answer = await this.service.service.http.inject({
      method: request.method() as 'GET',
      url: pathname + search,
      headers,
      ...(request.postDataBuffer() && { payload: request.postDataBuffer() ?? '' }),
    });
    const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const body = pathname.endsWith('.css') ? answer.body + STYLES : answer.rawPayload;
    return route.fulfill({ status: answer.statusCode, headers: Object.fromEntries(fields), body });
  };
}

/** Waits for the fonts, and takes the focus away, which depends on what was opened before. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}
