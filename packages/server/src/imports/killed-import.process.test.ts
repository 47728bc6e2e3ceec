import { eventually } from '@svc/testkit/service/eventually.ts';
import { importedRow } from '@svc/testkit/service/imports.ts';
import type { FirstProgram } from '@svc/testkit/service/processes/first-program.ts';
import { ownedInstallation } from '@svc/testkit/service/processes/owned-installation.ts';
import { post, type RunningService, startService } from '@svc/testkit/service/processes/processes.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';

type Installation = Awaited<ReturnType<typeof ownedInstallation>>;

const send = ({ first, token }: { first: FirstProgram; token: string }, { url }: RunningService, rows: unknown[]) =>
  post(
    `${url}/api/v1/manage/programs/${first.program_id}/imports`,
    { source: 'rewardful', rows, pay_approved: true },
    token,
  );

/** Everything that the import has left, by names that do not depend on the installation. */
const leftIn = ({ db, first }: Installation) =>
  db.query(
    `select p.email, p.name, m.status,
       (select array_agg(l.short_link order by 1) from links l where l.partner_id = p.id) as links,
       (select array_agg(k.code order by 1) from coupons k where k.partner_id = p.id) as coupons,
       (select array_agg(c.customer_key order by 1) from customers c where c.partner_id = p.id) as customers,
       (select array_agg(i.reference order by 1) from processor_identities i join customers c on c.id = i.customer_id
        where c.partner_id = p.id) as identities,
       (select array_agg(b.approved_cents) from opening_balances b where b.partner_id = p.id) as balances,
       (select array_agg(c.commission_cents) from commissions c where c.partner_id = p.id) as commissions,
       (select count(*) from import_items t where t.kind = 'partner' and t.item_id = p.id) as items
     from partners p join memberships m on m.partner_id = p.id where m.program_id = $1 and p.email like '%@partner.test'
     order by p.email`,
    [first.program_id],
  );

it('an import that is killed in and between requests, and sent again, leaves the same rows as one sent once', async () => {
  const batches = Array.from({ length: 3 }, () =>
    Array.from({ length: 50 }, () =>
      importedRow({
        coupons: [newId('SAVE')],
        customers: [{ external_id: newId('user'), processor_customer_id: newId('cus') }],
        balances: [{ currency: 'USD', approved_cents: 700 }],
      }),
    ),
  );
  const [killed, once] = [await ownedInstallation(), await ownedInstallation()];
  const whole = await startService(once.env);
  for (const rows of batches) expect((await send(once, whole, rows)).status).toBe(200);

  let node = await startService(killed.env);
  const [first, second] = batches as [unknown[], unknown[]];
  expect((await send(killed, node, first)).status).toBe(200);
  await node.end('SIGKILL');

  // The request waits in the middle of its transaction, after its partners, links and customers, until the node is dead.
  node = await startService(killed.env);
  const blocker = new pg.Client({ connectionString: killed.env.DATABASE_URL });
  await blocker.connect();
  onTestFinished(() => blocker.end());
  await blocker.query('begin; lock table opening_balances in access exclusive mode');
  const cutOff = send(killed, node, second).catch(() => null);
  const waiting = () =>
    killed.db.query(`select 1 from pg_locks where relation = 'opening_balances'::regclass and not granted`, []);
  await eventually(waiting, (rows) => rows.length > 0);
  await node.end('SIGKILL');
  await cutOff;
  await blocker.query('rollback');

  node = await startService(killed.env);
  for (const rows of batches) expect((await send(killed, node, rows)).status).toBe(200);
  const [left, expected] = [await leftIn(killed), await leftIn(once)];
  expect(expected).toHaveLength(150);
  expect(left).toEqual(expected);
});
