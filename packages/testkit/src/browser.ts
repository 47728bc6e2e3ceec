import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { AS_LONG_AS_A_TEST_MS } from './as-long-as-a-test.ts';

/** A Chromium that was found to start on this machine. */
export type FoundBrowser = { executablePath: string; env: Record<string, string>; version: string };
export type BrowserSearch = { found: FoundBrowser | null; tried: string[] };

export type BrowserOptions = {
  /** Lets pages into the back/forward cache, which the driver otherwise keeps off. */
  backForwardCache?: boolean;
};

const COMPLETE = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Chromium without a window. It needs half the CPU time, but has no back/forward cache and does not prerender. */
const LIGHT = 'chromium-headless-shell';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Every host name leads to this machine. */
const ONLY_HERE = '--host-resolver-rules=MAP * 127.0.0.1, EXCLUDE localhost';

type Candidate = { name: string; prepare: () => Promise<Omit<FoundBrowser, 'version'>> };

/**
 * Finds a Chromium: the one that `SVC_TEST_BROWSER` names, one that is installed, or the one from the registry. The registry
 * has it for Linux on x64 only. Each is started to see that it works here.
 */
export async function findBrowser(prefer: 'light' | 'complete' = 'light'): Promise<BrowserSearch> {
  const tried: string[] = [];
  const names = prefer === 'light' ? [LIGHT, ...COMPLETE] : [...COMPLETE, LIGHT];
  for (const { name, prepare } of candidates(names, process.env)) {
    try {
      const place = await prepare();
      const browser = await launchBrowser({ ...place, version: '' });
      const version = browser.version();
      await browser.close();
      return { found: { ...place, version }, tried };
    } catch (error) {
      tried.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
  }
  return { found: null, tried };
}

/** Starts a browser that reaches this machine only, with a profile of its own, which is removed when it is closed. */
export async function launchBrowser(found: FoundBrowser, options: BrowserOptions = {}): Promise<Browser> {
  const browser = await loadDriver().chromium.launch({
    executablePath: found.executablePath,
    env: { ...definedOf(process.env), ...found.env },
    args: [...FLAGS, ONLY_HERE],
    ignoreDefaultArgs: options.backForwardCache ? ['--disable-back-forward-cache'] : [],
  });
  // The driver gives up after half a minute, which a page on a busy machine can take.
  browser.on('context', (context) => context.setDefaultTimeout(AS_LONG_AS_A_TEST_MS));
  return browser;
}

/** The driver is one large file. It is loaded when a browser starts, and by `require`, which does not parse it twice. */
const loadDriver = () => createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');

const shared = new Map<string, Promise<Browser>>();

/** A browser with these options for everyone in this process; it ends with the process. */
export function sharedBrowser(found: FoundBrowser, options: BrowserOptions = {}): Promise<Browser> {
  const key = JSON.stringify(options);
  const browser = shared.get(key) ?? launchBrowser(found, options);
  shared.set(key, browser);
  return browser;
}

/**
 * Opens a page in a browser that nobody drives, for what drivers switch off, such as prerendering. What the page does is seen
 * from the servers it talks to. Returns how to end it.
 */
export async function openUndriven(found: FoundBrowser, url: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), 'svc-browser-'));
  const flags = [
    '--headless',
    '--remote-debugging-port=0',
    '--ignore-certificate-errors',
    `--user-data-dir=${profile}`,
  ];
  const browser = spawn(found.executablePath, [...FLAGS, ONLY_HERE, ...flags, url], {
    stdio: 'ignore',
    env: { ...process.env, ...found.env },
  });
  const ended = once(browser, 'exit');
  return async () => {
    browser.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  };
}

function candidates(names: string[], env: Record<string, string | undefined>): Candidate[] {
  const named = env.SVC_TEST_BROWSER;
  const installed = named ? [named] : names.flatMap((name) => onPath(name, env.PATH ?? ''));
  const list = installed.map((path) => ({ name: path, prepare: async () => ({ executablePath: path, env: {} }) }));
  if (named) return list;
  return [...list, { name: 'the registry (@sparticuz/chromium)', prepare: unpackFromRegistry }];
}

function onPath(name: string, path: string): string[] {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter(isExecutable)
    .slice(0, 1);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Unpacks the browser of the registry into a folder of its own, which goes away with this process. It is made for a bare cloud machine and brings the shared
 * libraries it needs, but unpacks them only where it believes to be on one.
 */
async function unpackFromRegistry(): Promise<Omit<FoundBrowser, 'version'>> {
  if (platform() !== 'linux' || arch() !== 'x64') throw new Error(`has no build for ${platform()} on ${arch()}`);
  const home = await mkdtemp(join(tmpdir(), 'svc-chromium-'));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  const before = { TMPDIR: process.env.TMPDIR, AWS_LAMBDA_JS_RUNTIME: process.env.AWS_LAMBDA_JS_RUNTIME };
  Object.assign(process.env, { TMPDIR: home, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  const libraries = process.env.LD_LIBRARY_PATH;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const executablePath = await packed.executablePath();
    await writeFile(join(home, 'fonts', 'fonts.conf'), fontsIn(home));
    return {
      executablePath,
      env: { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: join(home, 'fonts') },
    };
  } finally {
    for (const [name, value] of Object.entries({ ...before, LD_LIBRARY_PATH: libraries })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Its own settings look for fonts in places of that cloud, and text without any font has no size. */
function fontsIn(home: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <dir>${join(home, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

function definedOf(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
