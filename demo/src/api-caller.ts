import type { Service } from '@svc/server/app';

export const PASSWORD = 'coffee before talking';

export type Session = { email: string; cookie: string };

// biome-ignore lint/suspicious/noExplicitAny: replies of many routes
type Reply = any;

/** Calls a service without a network, as users with sessions and as servers with keys. */
export class ApiCaller {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Creates an account and returns its session. */
  signUp(person: { name: string; email: string }): Promise<Session> {
    return this.#openSession('sign-up', person);
  }

  /** A new session of the account, for what an older one would have to be confirmed for. */
  signIn({ email }: Session): Promise<Session> {
    return this.#openSession('sign-in', { email });
  }

  async #openSession(how: 'sign-up' | 'sign-in', person: { email: string }): Promise<Session> {
    const url = `/api/auth/${how}/email`;
    const payload = { ...person, password: PASSWORD };
    const response = await this.#service.http.inject({ method: 'POST', url, payload });
    const cookies = [response.headers['set-cookie'] ?? []].flat();
    return { email: person.email, cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') };
  }

  manage({ cookie }: Session, method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object): Promise<Reply> {
    const origin = new URL(this.#service.ctx.baseUrl).origin;
    return this.#send(method, `/api/v1/manage${path}`, { cookie, origin }, body);
  }

  track(event: 'click' | 'lead' | 'sale' | 'refund', key: string | null, body: object): Promise<Reply> {
    return this.#send('POST', `/api/v1/track/${event}`, key ? { authorization: `Bearer ${key}` } : {}, body);
  }

  async #send(method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, headers: Record<string, string>, body?: object) {
    const response = await this.#service.http.inject({ method, url, headers, ...(body && { payload: body }) });
    if (response.statusCode >= 300)
      throw new Error(`${method} ${url} returned ${response.statusCode}: ${response.body}`);
    return response.json();
  }
}
