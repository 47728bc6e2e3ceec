import { once } from 'node:events';
import { freePort } from '@svc/testkit';
import { ShopBackend } from '../../../demo/src/shop-backend.ts';
import { createShopServer } from '../../../demo/src/shop-server.ts';

export type Shop = { url: string; close: () => void };

/** The demo's shop as a brand's site: its pages use the tracker, and its server reports sales and refunds with the key. */
export async function openShop(options: {
  serviceUrl: string;
  programId: number;
  apiKey: string;
  shortLink?: string;
}): Promise<Shop> {
  const { serviceUrl, programId, apiKey, shortLink = 'none' } = options;
  const port = await freePort();
  const server = createShopServer({
    serviceUrl,
    programId,
    shortLink,
    backend: new ShopBackend(serviceUrl, apiKey),
    readLedger: async () => ({ clicks: [], customers: [], sales: [], commissions: [] }),
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
