import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TrackerOptions } from '../src/options.ts';
import type { Build } from './world.ts';

export type PageSetup = Partial<TrackerOptions> & {
  /** Markup before the tracker, such as a queue stub or a policy. */
  head?: string;
  /** Replaces the tracker's tag. */
  tag?: string;
};

/** A shop under any host name, over HTTP and HTTPS. The URL of a page selects its tracker build and options. */
export class Site {
  readonly #secure: Server;
  readonly #plain: Server;
  readonly #files: Record<string, string>;
  #serviceUrl = '';
  /** Answers below `/relay/`: the site's own server, which passes on what the tracker reports. */
  relay: RequestListener | undefined;
  /** Requested paths, with their queries. */
  readonly requests: string[] = [];

  constructor(certificate: { key: string; cert: string }, files: Record<string, string>) {
    this.#files = files;
    this.#secure = createHttps(certificate, this.#answer);
    this.#plain = createHttp(this.#answer);
  }

  async listen(serviceUrl: string): Promise<void> {
    this.#serviceUrl = serviceUrl;
    for (const server of [this.#secure, this.#plain]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
  }

  origin(host: string, scheme: 'http' | 'https' = 'https'): string {
    const server = scheme === 'https' ? this.#secure : this.#plain;
    return `${scheme}://${host}:${(server.address() as AddressInfo).port}`;
  }

  /** The path of a page; pages with the same build and setup differ by name. */
  path(build: Build, setup: PageSetup, name = 'home'): string {
    return `/${build}/${Buffer.from(JSON.stringify(setup)).toString('base64url')}/${name}`;
  }

  /** Serves a file from now on; a page can wait for it as a signal. */
  put(path: string, text: string): void {
    this.#files[path] = text;
  }

  close(): void {
    for (const server of [this.#secure, this.#plain]) {
      server.closeAllConnections();
      server.close();
    }
  }

  readonly #answer: RequestListener = (request, response) => {
    this.requests.push(request.url ?? '/');
    const { pathname } = new URL(request.url ?? '/', 'http://any');
    if (this.relay && pathname.startsWith('/relay/')) return void this.relay(request, response);
    const file = this.#files[pathname];
    if (file !== undefined) {
      response.setHeader('Content-Type', 'text/javascript').end(file);
      return;
    }
    const [, build = '', setup = ''] = pathname.split('/');
    if (build !== 'script' && build !== 'package') {
      response.writeHead(404).end('Nothing here');
      return;
    }
    const parsed = JSON.parse(Buffer.from(setup, 'base64url').toString()) as PageSetup;
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(this.#page(build, parsed));
  };

  #page(build: Build, { head = '', tag, ...options }: PageSetup): string {
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">
<title>Shop</title>${head}
${tag ?? (build === 'script' ? this.#scriptTag(options) : this.#packageTag(options))}
</head><body><h1>Shop</h1><button onclick="this.textContent = 'Bought'">Buy</button></body></html>`;
  }

  #scriptTag(options: Partial<TrackerOptions>): string {
    const attributes = Object.entries(options).map(([name, value]) => {
      const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return `data-svc-${attribute}="${String(value)}"`;
    });
    return `<script async src="${this.#serviceUrl}/js/svc-tracker.js" ${attributes.join(' ')}></script>`;
  }

  #packageTag(options: Partial<TrackerOptions>): string {
    return `<script type="module">
      import * as svc from '/package.js';
      window.svc = svc;
      svc.init(${JSON.stringify({ apiBase: this.#serviceUrl, ...options })});
    </script>`;
  }
}
