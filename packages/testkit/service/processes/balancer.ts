import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/index.ts';
import { eventually } from '../eventually.ts';

const NGINX_CONF = fileURLToPath(new URL('../../../../deploy/nginx.conf', import.meta.url));

export type Balancer = {
  name: 'nginx' | 'a small proxy';
  url: string;
  close(): Promise<void>;
};

/** A load balancer in front of the nodes: nginx with the configuration in `deploy` if installed, else a small proxy. */
export async function startBalancer(ports: number[], folder: string): Promise<Balancer> {
  const hasNginx = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0;
  return hasNginx ? startNginx(ports, folder) : startProxy(ports);
}

async function startNginx(ports: number[], folder: string): Promise<Balancer> {
  const port = await freePort();
  const path = join(folder, 'nginx.conf');
  const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`);
  const conf = (await readFile(NGINX_CONF, 'utf8'))
    .replace(/server node-1:4000[^;]*;\s*server node-2:4000[^;]*;/, servers.join('\n'))
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('/tmp/nginx', join(folder, 'nginx'));
  await writeFile(path, conf);
  const child = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', path, '-g', 'daemon off; user root;'], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(url);
  return { name: 'nginx', url, close: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Forwards requests to the nodes in turn. A request that reached no node goes to the next one; none is sent twice. */
async function startProxy(ports: number[]): Promise<Balancer> {
  // Idle connections end before a stopping node closes them.
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    turn = (turn + 1) % ports.length;
    for (const port of [...ports.slice(turn), ...ports.slice(0, turn)]) {
      if (await forward(incoming, body, outgoing, port, agent)) return;
    }
    refuse(outgoing, 'no node accepts connections');
  });
  const port = await freePort();
  await listen(server, port);
  return {
    name: 'a small proxy',
    url: `http://127.0.0.1:${port}`,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  port: number,
  agent: Agent,
): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing).on('finish', () => resolve(true));
    });
    forwarded.on('error', (error: NodeJS.ErrnoException) => {
      const reachedNoNode = error.code === 'ECONNREFUSED' || (forwarded.reusedSocket && error.code === 'ECONNRESET');
      if (!reachedNoNode) refuse(outgoing, `the connection to port ${port} failed with ${error.code}`);
      resolve(!reachedNoNode);
    });
    forwarded.end(body);
  });
}

function refuse(outgoing: ServerResponse, error: string): void {
  outgoing.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
}

async function untilAnswering(url: string): Promise<void> {
  await eventually(
    () =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
  );
}
