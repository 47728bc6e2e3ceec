import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Cookie = { name: string; value: string; domain: string; secure: boolean; sameSite?: string };

/** WebKit's own small browser, driven over WebDriver. To it, names below `localhost` are this machine. */
export class WebKit {
  readonly #processes: ChildProcess[] = [];
  #session = '';

  async open(binary: string): Promise<void> {
    const display = await this.#startDisplay();
    const port = await freePort();
    // Without a graphics card.
    const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' };
    this.#processes.push(spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' }));
    const driver = `http://127.0.0.1:${port}`;
    for (let tries = 0; !(await isUp(driver)) && tries < 100; tries += 1) await sleep(100);
    const alwaysMatch = {
      acceptInsecureCerts: true,
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    };
    const { sessionId } = await post<{ sessionId: string }>(`${driver}/session`, { capabilities: { alwaysMatch } });
    this.#session = `${driver}/session/${sessionId}`;
  }

  visit(url: string): Promise<unknown> {
    return post(`${this.#session}/url`, { url });
  }

  /** The value of an expression in the page; a promise is awaited. */
  evaluate<Value>(expression: string): Promise<Value> {
    const script = `const done = arguments[0]; Promise.resolve(${expression}).then(done, (error) => done(String(error)));`;
    return post<Value>(`${this.#session}/execute/async`, { script, args: [] });
  }

  async cookies(): Promise<Cookie[]> {
    const { value } = (await (await fetch(`${this.#session}/cookie`)).json()) as { value: Cookie[] };
    return value;
  }

  async deleteCookies(): Promise<void> {
    await fetch(`${this.#session}/cookie`, { method: 'DELETE' });
  }

  async close(): Promise<void> {
    if (this.#session) await fetch(this.#session, { method: 'DELETE' }).catch(() => {});
    for (const child of this.#processes) child.kill();
  }

  /** Starts a display that nobody sees, and returns its name. */
  async #startDisplay(): Promise<string> {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1024x768x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    this.#processes.push(screen);
    const number = screen.stdio[3];
    if (!number) throw new Error('Xvfb has no output');
    return `:${String((await once(number, 'data'))[0]).trim()}`;
  }
}

const isUp = (driver: string) =>
  fetch(`${driver}/status`).then(
    ({ ok }) => ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function post<Value>(url: string, body: object): Promise<Value> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: Value };
  if (!response.ok) throw new Error(`WebKitWebDriver: ${JSON.stringify(value)}`);
  return value;
}
