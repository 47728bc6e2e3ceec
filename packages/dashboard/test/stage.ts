import { type FoundBrowser, freePort, type Profile, Profiles, sharedBrowser } from '@svc/testkit';
import { signUp } from '@svc/testkit/service/accounts.ts';
import { TestService } from '@svc/testkit/service/service.ts';
import type {} from '@svc/testkit/service/setup/start-postgres.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest';
import type {} from '../../tracker/test/find-browser.ts';
import { navigate } from './in-page.ts';
import { Person } from './person.ts';

/** Tests that need a browser; skipped when none starts, for the reason that the setup prints. */
export const describeInBrowser: typeof describe = describe.skipIf(inject('browser') === null) as typeof describe;

const LEVEL_WARN = 40;
const MOST_FAULTS = 10;

type Address = { port: number; profiles: Profiles };

/** Addresses that no stage uses now. At the address of an earlier stage, browsers already have the application in their caches. */
const spareAddresses: Address[] = [];

async function takeAddress(found: FoundBrowser): Promise<Address> {
  const spare = spareAddresses.pop();
  if (spare) return spare;
  const port = await freePort();
  const options = { baseURL: `http://localhost:${port}`, locale: 'en-US', reducedMotion: 'reduce' } as const;
  return { port, profiles: new Profiles(await sharedBrowser(found), options, { keepsCache: true, leave }) };
}

/** Leaves the application for the next person without loading it again. A page that nobody serves shows nothing of anybody. */
const leave = ({ page }: Profile) => page.evaluate(navigate, { href: '/app/nowhere', forgets: true });

/** The service on this machine, and people with browsers. */
export class Stage {
  readonly service = new TestService();
  url = '';
  readonly #people: Person[] = [];
  #staying = 0;
  #address: Address | undefined;

  async open(env: Record<string, string> = {}): Promise<void> {
    const found = inject('browser');
    if (!found) return;
    this.#address = await takeAddress(found);
    const { port } = this.#address;
    this.url = `http://localhost:${port}`;
    // Browsers use the real time, and reports end today.
    this.service.time = new Date();
    await this.service.open({ SVC_BASE_URL: this.url, ...env });
    await this.service.service.http.listen({ port, host: 'localhost' });
  }

  async close(): Promise<void> {
    this.#staying = 0;
    await this.endVisit();
    // The next stage may serve the application with other settings.
    await this.#address?.profiles.rest();
    await this.service.service?.close();
    if (this.#address) spareAddresses.push(this.#address);
    this.#address = undefined;
  }

  /** A person who is not signed in. */
  async stranger(): Promise<Person> {
    if (!this.#address) throw new Error('The stage is not open');
    const person = new Person(await this.#address.profiles.take());
    this.#people.push(person);
    return person;
  }

  /** A person who is signed in to a new account. */
  async person(address?: string): Promise<Person> {
    const { cookie, userId, email } = await signUp(this.service, address);
    return this.signedIn({ cookie, userId, email });
  }

  async signedIn(account: { cookie: string; userId: string; email: string }): Promise<Person> {
    const person = await this.stranger();
    Object.assign(person, { userId: account.userId, email: account.email });
    const cookies = account.cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url: this.url };
    });
    await person.context.addCookies(cookies);
    return person;
  }

  /** From now on `endVisit` removes new people; those who were created before stay. */
  beginVisit(): void {
    this.#staying = this.#people.length;
  }

  /** Prints what everyone sees whose test has failed, and what the service says went wrong. */
  async showPages(test: string): Promise<void> {
    for (const person of this.#people) console.log(`While “${test}” failed:\n${await person.whatIsSeen()}`);
    const faults = this.service.logLines.filter((line) => JSON.parse(line).level >= LEVEL_WARN);
    if (faults.length > 0) console.log(`The service says:\n${faults.slice(-MOST_FAULTS).join('\n')}`);
  }

  async endVisit(): Promise<void> {
    for (const person of this.#people.splice(this.#staying)) {
      const profile = person.leave();
      if (person.isProfileChanged) await profile.context.close();
      else await this.#address?.profiles.giveBack(profile);
    }
  }
}

/** Opens a stage for the tests of a file and closes it afterwards. People whom a test creates are removed after it. */
export function startStage(env?: Record<string, string> | (() => Promise<Record<string, string>>)): Stage {
  const stage = new Stage();
  beforeAll(async () => stage.open(typeof env === 'function' ? await env() : env));
  beforeEach(() => stage.beginVisit());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await stage.showPages(task.name);
    await stage.endVisit();
  });
  afterAll(() => stage.close());
  return stage;
}
