import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, type Service } from '@svc/server/app';
import { readConfig } from '@svc/server/config';
import { choosePort } from './choose-port.ts';
import { readLedger } from './ledger-store.ts';
import { seed } from './seed-demo.ts';
import { ShopBackend } from './shop-backend.ts';
import { createShopServer } from './shop-server.ts';

export type Demo = {
  service: Service;
  serviceUrl: string;
  shopUrl: string;
  programId: number;
  /** The e-mail to sign in to the dashboard of the shop's program. */
  email: string;
  /** When the visits of the past year end and those of the demo begin. */
  startedAt: Date;
  /** Stops both servers and deletes all their data. */
  close(): Promise<void>;
};

/** As many customers as make the pages look lived in, and a start that takes seconds. */
const CUSTOMERS = 1_500;

/**
 * Starts the service with a program that has a year of data, and a shop on another origin that uses it. Without other settings,
 * the service has an embedded store.
 */
export async function startDemo(
  ports: { service: number; shop: number },
  { customers = CUSTOMERS, settings = {} as Record<string, string> } = {},
): Promise<Demo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-demo-'));
  const servicePort = await choosePort(ports.service);
  const shopPort = await choosePort(ports.shop);
  const serviceUrl = `http://localhost:${servicePort}`;
  const shopUrl = `http://localhost:${shopPort}`;
  const config = readConfig({ PORT: String(servicePort), SVC_DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings });
  const service = await createService(config);
  await service.http.listen({ port: servicePort, host: 'localhost' });
  const { programId, apiKey, shortLink, email, startedAt } = await seed(service, shopUrl, customers);

  const shop = createShopServer({
    serviceUrl,
    programId,
    shortLink,
    backend: new ShopBackend(serviceUrl, apiKey),
    readLedger: () => readLedger(service.ctx.db, programId, startedAt),
  });
  shop.listen(shopPort, 'localhost');
  await once(shop, 'listening');

  return {
    service,
    serviceUrl,
    shopUrl,
    programId,
    email,
    startedAt,
    async close() {
      shop.closeAllConnections();
      shop.close();
      await service.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
