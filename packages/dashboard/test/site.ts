import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Site = {
  url: string;
  /** What the page contains: code that the setup guide shows. */
  html: string;
  close: () => void;
};

/**
 * A brand's site on an origin of its own, whose page is what a founder has pasted. `POST /order` passes its body on to the
 * service as a sale, with the key.
 */
export async function openSite(serviceUrl: string, apiKey: string): Promise<Site> {
  const server = createServer(async (request, response) => {
    if (request.url === '/order') {
      const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
      const body = await bodyOf(request);
      const answer = await fetch(`${serviceUrl}/api/v1/track/sale`, { method: 'POST', headers, body });
      response.writeHead(answer.status).end(await answer.text());
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Acme</title><link rel="icon" href="data:,">${site.html}`);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const site: Site = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    html: '',
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}
