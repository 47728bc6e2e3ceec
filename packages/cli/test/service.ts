import { randomBytes, randomInt } from 'node:crypto';
import { inject } from 'vitest';

/** A signed-up user of the service, with the session cookie of their browser. */
export type Person = { email: string; cookie: string };

/** The running service as browsers and backends see it. */
export class Service {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Signs up a user and returns their session cookie. */
  async signUp(email = newEmail()): Promise<Person> {
    const person = { email, password: 'a long password', name: 'Ann' };
    // Sign-ups are rate limited by IP address.
    const from = { 'X-Forwarded-For': `198.18.${randomInt(256)}.${randomInt(1, 255)}` };
    const response = await this.post('/api/auth/sign-up/email', person, from);
    if (!response.ok) throw new Error(`Sign-up answered ${response.status}: ${await response.text()}`);
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { email, cookie: cookie.join('; ') };
  }

  /** Completes a CLI login like the sign-in page does. */
  async approve({ cookie }: Person, state: string): Promise<void> {
    const answer = await fetch(`${this.url}/api/auth/token`, { headers: { cookie } });
    const { token } = (await answer.json()) as { token: string };
    const done = await this.post('/api/v1/cli/auth/callback', { state, id_token: token });
    if (!done.ok) throw new Error(`The callback answered ${done.status}: ${await done.text()}`);
  }

  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: this.url, ...headers },
      body: JSON.stringify(body),
    });
  }
}

/** The service started for this test run. */
export const theService = () => new Service(inject('serviceUrl'));

/** An e-mail address that no other test uses. */
const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

/** The login state in a URL of the sign-in page. */
export const stateOf = (authUrl: string) => new URL(authUrl).searchParams.get('state') ?? '';
