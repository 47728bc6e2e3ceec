import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/index.ts';

const CADDYFILE = fileURLToPath(new URL('../../../../deploy/Caddyfile', import.meta.url));

/** Why Caddy cannot be started on this machine, if it cannot. */
export const caddyMissing = () =>
  spawnSync('caddy', ['version'], { stdio: 'ignore' }).status === 0 ? null : 'caddy is not installed (Debian: caddy)';

export type Caddy = {
  httpPort: number;
  httpsPort: number;
  /** The certificate of its own authority. */
  authority: string;
  close(): Promise<void>;
};

/** Caddy with the configuration in `deploy`, in front of the service, on this machine only, and with its own authority. */
export async function startCaddy(upstream: string, folder: string): Promise<Caddy> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const options = [
    'admin off',
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
    'default_bind 127.0.0.1',
    'skip_install_trust',
  ];
  const child = spawn('caddy', ['run', '--config', CADDYFILE, '--adapter', 'caddyfile'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      SVC_UPSTREAM: upstream,
      CADDY_ISSUER: 'internal',
      CADDY_OPTIONS: options.join('\n'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = () => child.kill('SIGKILL');
  process.on('exit', end);
  const lines = createInterface({ input: child.stderr });
  const printed: string[] = [];
  lines.on('line', (line) => printed.push(line));
  while (!printed.some((line) => line.includes('serving initial configuration'))) {
    const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
    if (line === undefined) throw new Error(`Caddy ended:\n${printed.join('\n')}`);
  }
  return {
    httpPort,
    httpsPort,
    authority: await readFile(join(folder, 'caddy/pki/authorities/local/root.crt'), 'utf8'),
    async close() {
      process.off('exit', end);
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
