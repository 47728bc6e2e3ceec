import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@svc/testkit';
import { afterAll, beforeAll } from 'vitest';

const MAIN = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
const GENEROUS = 'click=100000,lead=100000,sale=100000,readiness=100000,cli=100000';

/** The real service in a process of its own, on an embedded store in a folder of its own. */
export class ServiceProcess {
  url = '';
  private port = 0;
  private dataDir = '';
  private child: ChildProcess | undefined;
  private log = '';

  async open(): Promise<void> {
    await access(MAIN).catch(() => {
      throw new Error('The service is not built. Run `npm run build` first.');
    });
    this.dataDir = await mkdtemp(join(tmpdir(), 'svc-service-'));
    this.port = await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    await this.start();
  }

  async start(): Promise<void> {
    const env = {
      PATH: process.env.PATH ?? '',
      PORT: String(this.port),
      SVC_BASE_URL: this.url,
      SVC_DATA_DIR: this.dataDir,
      SVC_RATE_LIMITS: GENEROUS,
      LOG_LEVEL: 'warn',
    };
    const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: 'pipe' });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.log += chunk;
      });
    }
    for (;;) {
      if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${this.log}`);
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Signs somebody up and returns what their browser then sends along. */
  async signUp(email: string): Promise<Visitor> {
    const response = await this.post('/api/auth/sign-up/email', { email, password: 'a long password', name: 'Ann' });
    if (!response.ok) throw new Error(`Sign-up answered ${response.status}: ${await response.text()}`);
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { email, cookie: cookie.join('; ') };
  }

  /** Completes a login of the command as the sign-in page does. */
  async approve({ cookie }: Visitor, state: string): Promise<void> {
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

export type Visitor = { email: string; cookie: string };

/** Starts the service for the tests of a file and ends it after them. */
export function useServiceProcess(): ServiceProcess {
  const service = new ServiceProcess();
  beforeAll(() => service.open());
  afterAll(() => service.close());
  return service;
}

/** The state that an address of the sign-in page carries. */
export const stateOf = (authUrl: string) => new URL(authUrl).searchParams.get('state') ?? '';
