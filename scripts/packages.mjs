// Installs the packages of a running service with npm, pnpm and yarn into empty projects for Node, Vite, Next and Jest, and
// into two of examples/, builds or runs each, then moves the service to another address, where its packages have to be the same, and installs again from the
// lockfiles with cold caches. `--only <manager or kind>` runs a part. It needs the npm registry and ten to fifteen minutes.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const run = promisify(execFile);
const COMMAND_MS = 300_000;
const SERVICE = fileURLToPath(new URL('../packages/server/dist/bin/svc-server.js', import.meta.url));

/** @typedef {{ tracker: string, node: string }} Packages */

/**
 * How each package manager installs, and how it installs again from its lockfile without anything that it has kept.
 *
 * @type {Record<string, { install: string[], again: (cache: string) => string[] }>}
 */
const MANAGERS = {
  npm: {
    install: ['npm', 'install', '--no-audit', '--no-fund'],
    again: (cache) => ['npm', 'ci', '--no-audit', '--no-fund', '--cache', cache],
  },
  pnpm: {
    install: ['npx', '--yes', 'pnpm@10', 'install'],
    again: (cache) => ['npx', '--yes', 'pnpm@10', 'install', '--frozen-lockfile', '--store-dir', cache],
  },
  yarn: {
    install: ['npx', '--yes', 'yarn@1', 'install', '--non-interactive'],
    again: (cache) => ['npx', '--yes', 'yarn@1', 'install', '--frozen-lockfile', '--cache-folder', cache],
  },
};

const LAYOUT = `import { SvcProvider } from '@svc/tracker/react';

export default function RootLayout({ children }) {
  return <html lang="en"><body><SvcProvider programId={42} apiBase="https://track.example.com">{children}</SvcProvider></body></html>;
}
`;
const HOOK = `import { verifyWebhook } from '@svc/node';

export const runtime = 'edge';
export async function POST(request) {
  const event = await verifyWebhook(await request.text(), request.headers, process.env.SVC_WEBHOOK_SECRET);
  return Response.json({ type: event.type });
}
`;
const SIGNUP = `import { clickIdFrom, svc } from '@svc/node';

export async function POST(request) {
  await svc.lead({ customer_key: 'user_1', click_id: clickIdFrom(request) });
  return Response.json({});
}
`;

/**
 * Projects by what they are made with: other dependencies, their files, and the command that has to succeed.
 *
 * @type {Record<string, { type?: string, dependencies: Record<string, string>, pins?: Record<string, string>, files: Record<string, string>, check: string[] }>}
 */
const KINDS = {
  node: {
    dependencies: {},
    files: {
      'check.cjs': `const { getData } = require('@svc/tracker');
const { clickIdFrom, verifyWebhook } = require('@svc/node');
if (getData().clickId !== null || clickIdFrom('svc_click_id=cust_1_2') !== 'cust_1_2') process.exit(1);
// Of the specification of Standard Webhooks.
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const verified = verifyWebhook('{"test": 2432232314}', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { now: 1614265330000 });
verified.catch(() => process.exit(1));
import('@svc/node').then(({ createSvc }) => createSvc({ apiKey: 'x', apiUrl: 'https://track.example.com', timeoutMs: 5000 }).lead({ customer_key: 'a' })).then(
  // The key belongs to nobody, but the service has answered.
  ({ error }) => process.exit(error?.code === 'unauthorized' ? 0 : 1),
);`,
    },
    check: ['node', 'check.cjs'],
  },
  vite: {
    type: 'module',
    dependencies: { vite: '^6', react: '^19', 'react-dom': '^19' },
    // One that the mirrors of the registry have for every platform: yarn asks for all of them.
    pins: { rollup: '4.65.0' },
    files: {
      'index.html': '<div id="root"></div><script type="module" src="/main.js"></script>',
      'main.js': `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { init } from '@svc/tracker';
import { SvcProvider } from '@svc/tracker/react';
import { decorateStripe } from '@svc/tracker/stripe';
init({ programId: 42, apiBase: 'https://track.example.com' });
decorateStripe();
createRoot(document.querySelector('#root')).render(createElement(SvcProvider, { programId: 42, apiBase: 'https://track.example.com' }));`,
    },
    check: ['npx', 'vite', 'build'],
  },
  next: {
    // Likewise.
    dependencies: { next: '16.4.3', react: '^19', 'react-dom': '^19' },
    files: {
      'app/layout.jsx': LAYOUT,
      'app/page.jsx': 'export default function Page() {\n  return <p>Shop</p>;\n}\n',
      'app/api/signup/route.js': SIGNUP,
      'app/api/edge/route.js': `export const runtime = 'edge';\n${SIGNUP}`,
      'app/api/hook/route.js': HOOK,
    },
    check: ['npx', 'next', 'build'],
  },
  jest: {
    dependencies: { jest: '^29' },
    files: {
      'shop.test.js': `const { getData } = require('@svc/tracker');
const { clickIdFrom } = require('@svc/node');
test('both load', () => expect([getData().clickId, clickIdFrom(null)]).toEqual([null, undefined]));`,
    },
    check: ['npx', 'jest', '--watchman=false'],
  },
};

/**
 * The projects of examples/ that are built with a tool. Next.js checks their types too.
 *
 * @type {Record<string, string[]>}
 */
const EXAMPLES = { nextjs: ['npx', 'next', 'build'], 'single-page': ['npx', 'vite', 'build'] };

for (const [name, check] of Object.entries(EXAMPLES)) {
  const source = fileURLToPath(new URL(`../examples/${name}/`, import.meta.url));
  const names = (await readdir(source, { recursive: true })).filter((path) => /\.(js|tsx?|html)$|^tsconfig/.test(path));
  const texts = names
    .filter((path) => !/node_modules|\.next/.test(path))
    .map(async (path) => [path, await readFile(join(source, path), 'utf8')]);
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const { '@svc/node': _node, '@svc/tracker': _tracker, ...others } = { ...dependencies, ...devDependencies };
  const files = Object.fromEntries(await Promise.all(texts));
  KINDS[`example-${name}`] = { type: 'module', dependencies: others, pins: KINDS.vite?.pins, files, check };
}

/** @param {number} port @param {string} folder @param {string} host */
async function startService(port, folder, host) {
  const env = {
    ...process.env,
    PORT: String(port),
    SVC_DATA_DIR: folder,
    SVC_BASE_URL: `http://${host}:${port}`,
    LOG_LEVEL: 'error',
  };
  const child = spawn(process.execPath, [SERVICE, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (let tries = 0; tries < 240; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response?.ok) {
      return {
        stop() {
          child.kill('SIGTERM');
          return ended;
        },
      };
    }
    await sleep(250);
  }
  child.kill('SIGKILL');
  throw new Error('The service did not start');
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @param {string} folder @param {string} kind @param {Packages} packages */
async function writeProject(folder, kind, packages) {
  const { type, dependencies, pins, files } = /** @type {typeof KINDS[string]} */ (KINDS[kind]);
  const all = { '@svc/tracker': packages.tracker, '@svc/node': packages.node, ...dependencies };
  const manifest = {
    name: `shop-${kind}`,
    version: '1.0.0',
    private: true,
    ...(type && { type }),
    dependencies: all,
    // npm, yarn and pnpm each have a field of their own for it.
    ...(pins && { overrides: pins, resolutions: pins, pnpm: { overrides: pins } }),
  };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries({ 'package.json': JSON.stringify(manifest, null, 2), ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text.replaceAll('https://track.example.com', `http://127.0.0.1:${port}`));
  }
}

/** @param {string} folder @param {string[]} command */
async function call(folder, [program = '', ...args]) {
  // The projects are somebody else's: none of the variables of npm and of this run.
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV$|SVC_)/i.test(name));
  const env = { ...Object.fromEntries(kept), NEXT_TELEMETRY_DISABLED: '1', CI: '1' };
  const options = { cwd: folder, env, timeout: COMMAND_MS, maxBuffer: 64 * 1024 * 1024 };
  await run(program, args, options).catch((error) => {
    throw new Error(`${[program, ...args].join(' ')} failed in ${folder}\n${error.stdout}\n${error.stderr}`);
  });
}

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const { only } = values;
const isWanted = (/** @type {string} */ name) => !only || only.includes(name);
const wanted = (/** @type {object} */ table) => {
  const names = Object.keys(table).filter(isWanted);
  return names.length > 0 ? names : Object.keys(table);
};
const home = await mkdtemp(join(tmpdir(), 'svc-packages-'));
const port = await freePort();
let service = await startService(port, join(home, 'data'), 'localhost');
try {
  const listed = await (await fetch(`http://127.0.0.1:${port}/packages.json`)).json();
  const packages = { tracker: listed.tracker.immutable_url, node: listed.node.immutable_url };
  const projects = wanted(MANAGERS).flatMap((manager) => wanted(KINDS).map((kind) => ({ manager, kind })));
  for (const { manager, kind } of projects) {
    const folder = join(home, `${manager}-${kind}`);
    const { install } = /** @type {typeof MANAGERS[string]} */ (MANAGERS[manager]);
    await writeProject(folder, kind, packages);
    await call(folder, install);
    await call(folder, /** @type {typeof KINDS[string]} */ (KINDS[kind]).check);
    console.log(`${manager} into ${kind}: installed, and works`);
  }

  await service.stop();
  service = await startService(port, join(home, 'data'), '127.0.0.1');
  const moved = await (await fetch(`http://127.0.0.1:${port}/packages.json`)).json();
  if (moved.node.integrity !== listed.node.integrity) throw new Error('The packages are others after the move');
  for (const manager of wanted(MANAGERS)) {
    const folder = join(home, `${manager}-${wanted(KINDS)[0]}`);
    await rm(join(folder, 'node_modules'), { recursive: true, force: true });
    const { again } = /** @type {typeof MANAGERS[string]} */ (MANAGERS[manager]);
    await call(folder, again(join(home, `cold-${manager}`)));
    console.log(`${manager}: installed again from its lockfile with a cold cache, after the service has moved`);
  }
} finally {
  await service.stop();
  await rm(home, { recursive: true, force: true });
}
