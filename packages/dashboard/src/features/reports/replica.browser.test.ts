import { type PostgresServer, startPostgres } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { afterAll, it } from 'vitest';
import { openBrand } from '../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const servers: PostgresServer[] = [];

const stage = startStage(async () => {
  const [primary, standby] = await Promise.all([startPostgres(), startPostgres()]);
  servers.push(standby, primary);
  const url = await primary.createDatabase('reports');
  await standby.follow(primary, primary.port);
  return { DATABASE_URL: url, SVC_REPORTS_DATABASE_URL: standby.url('reports') };
});
afterAll(async () => {
  for (const server of servers) await server.remove();
});

describeInBrowser('reports from a replica', () => {
  it('say when they are notably behind', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    // Until it has caught up once, it is not used at all.
    await eventually(
      () => stage.service.call('GET', '/readyz'),
      ({ body }) => body.reports === 'replica',
    );
    await owner.visit(brand.path('reports'), 'Reports');
    await servers[0]?.query('select pg_wal_replay_pause()');
    await stage.service.clickId(brand.link);
    const note = owner.page.getByText(
      /^These figures are up to \d+ seconds behind\. Newer clicks and sales will follow\.$/,
    );
    await untilShown(true);
    await servers[0]?.query('select pg_wal_replay_resume()');
    await untilShown(false);

    async function untilShown(isShown: boolean): Promise<void> {
      while ((await note.isVisible()) !== isShown) {
        await owner.load(brand.path('reports'), 'Reports');
        await owner.untilLoaded();
      }
    }
  });
});
