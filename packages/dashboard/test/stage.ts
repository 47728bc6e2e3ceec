import { freePort, sharedBrowser } from '@svc/testkit';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest';
import { signUp } from '../../server/test/accounts.ts';
import { TestService } from '../../server/test/service.ts';
import type {} from '../../server/test/start-postgres.ts';
import type {} from '../../tracker/test/find-browser.ts';
import { Person } from './person.ts';

/** Tests that need a browser; left out, with the reason printed by the set-up, where none starts. */
export const describeInBrowser: typeof describe = describe.skipIf(inject('browser') === null) as typeof describe;

/** The service at an address of this machine, and people with browsers. */
export class Stage {
  readonly service = new TestService();
  url = '';
  browser!: Browser;
  readonly #people: Person[] = [];
  #staying = 0;

  async open(env: Record<string, string> = {}): Promise<void> {
    const found = inject('browser');
    if (!found) return;
    const port = await freePort();
    this.url = `http://localhost:${port}`;
    // Browsers have their own clock, and reports are about days before it.
    this.service.time = new Date();
    await this.service.open({ SVC_BASE_URL: this.url, ...env });
    await this.service.service.http.listen({ port, host: 'localhost' });
    this.browser = await sharedBrowser(found);
  }

  async close(): Promise<void> {
    for (const { context } of this.#people.splice(0)) await context.close();
    await this.service.service?.close();
  }

  /** Somebody who is not signed in. */
  async stranger(options: BrowserContextOptions = {}): Promise<Person> {
    const context = await this.browser.newContext({
      baseURL: this.url,
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...options,
    });
    const person = new Person(context, await context.newPage());
    this.#people.push(person);
    return person;
  }

  /** Somebody with a new account, signed in. */
  async person(options: BrowserContextOptions = {}): Promise<Person> {
    const { cookie, userId, email } = await signUp(this.service);
    return this.signedIn({ cookie, userId, email }, options);
  }

  async signedIn(
    account: { cookie: string; userId: string; email: string },
    options: BrowserContextOptions = {},
  ): Promise<Person> {
    const person = await this.stranger(options);
    Object.assign(person, { userId: account.userId, email: account.email });
    const cookies = account.cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url: this.url };
    });
    await person.context.addCookies(cookies);
    return person;
  }

  /** Whoever comes from now on leaves with `endVisit`; people who were there before stay. */
  beginVisit(): void {
    this.#staying = this.#people.length;
  }

  async endVisit(): Promise<void> {
    for (const { context } of this.#people.splice(this.#staying)) await context.close();
  }
}

/** Opens a stage for the tests of a file and closes it after them. Whoever a test brings leaves with it. */
export function startStage(env?: Record<string, string>): Stage {
  const stage = new Stage();
  beforeAll(() => stage.open(env));
  beforeEach(() => stage.beginVisit());
  afterEach(() => stage.endVisit());
  afterAll(() => stage.close());
  return stage;
}
