import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@svc/testkit';

const MAIN = fileURLToPath(new URL('../../server/dist/bin/svc-server.js', import.meta.url));
const GENEROUS = 'click=100000,lead=100000,sale=100000,readiness=100000,cli=100000,manage=100000';

/** The real service in its own process, on an embedded store in its own folder unless its environment names another. */
export class ServiceProcess {
  url = '';
  private port = 0;
  private dataDir = '';
  private child: ChildProcess | undefined;
  private log = '';

  async open(env: Record<string, string> = {}): Promise<void> {
    this.dataDir = await mkdtemp(join(tmpdir(), 'svc-service-'));
    this.port = await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    await this.start(env);
  }

  private async start(given: Record<string, string>): Promise<void> {
    const env = {
      PATH: process.env.PATH ?? '',
      PORT: String(this.port),
      SVC_BASE_URL: this.url,
      SVC_DATA_DIR: this.dataDir,
      SVC_RATE_LIMITS: GENEROUS,
      // So that each test user can have their own IP address.
      SVC_TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...given,
    };
    const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: 'pipe' });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.log += chunk;
      });
    }
    for (;;) {
      if (child.exitCode !== null) throw new Error(`The service exited with ${child.exitCode}:\n${this.log}`);
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
}
