import { createService } from '@svc/server/app';
import { type Config, readConfig } from '@svc/server/config';
import { holdDataFolder } from '@svc/server/operator/control-socket';
import { type Brand, createBrand } from './brand.ts';
import { seedHistory } from './history.ts';

export type SeedOptions = { clicks: number; customers: number };

const DAYS = 365;

/** Fills the configured store with a year of a brand's data. No other process may use the store meanwhile. */
export async function seed(
  env: Record<string, string | undefined>,
  { clicks, customers }: SeedOptions,
  print: (line: string) => void,
): Promise<Brand> {
  const config = readConfig({ ...env, LOG_LEVEL: 'warn' });
  const release = await lockStore(config);
  const service = await createService(config, { runJobs: false });
  try {
    // A year of data takes longer than any request may.
    const db = service.ctx.db.untimed;
    const now = new Date();
    const brand = await createBrand(service, new Date(now.getTime() - DAYS * 86_400_000));
    const history = { programIds: brand.programIds, now, days: DAYS, clicks, customers, foreignShare: 0.2 };
    await seedHistory({ ...service.ctx, db }, history, print);
    // As autovacuum would have done in a store with this many rows.
    await db.query('vacuum (analyze)');
    return brand;
  } finally {
    await service.close();
    await release();
  }
}

function lockStore({ databaseUrl, dataDir }: Config): Promise<() => Promise<void>> {
  if (databaseUrl) return Promise.resolve(async () => {});
  return holdDataFolder(dataDir, async () => ({ ok: false, text: 'The store is being seeded. Try again later.' }));
}
