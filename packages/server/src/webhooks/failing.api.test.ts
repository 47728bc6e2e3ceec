import { memberOf, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { disableFailingWebhooks } from '../jobs/disable-failing-webhooks.ts';
import { disableFailing } from './disable-failing.ts';

// Nothing listens on this port: the mail waits in the queue.
const service = useService({
  SVC_OUTBOUND_ALLOW: '127.0.0.1',
  SVC_SMTP_URL: 'smtp://127.0.0.1:9',
  SVC_MAIL_FROM: 'partners@mail.test',
});
const receiver = useReceiver();

const HOUR = 3_600;

type Endpoint = { id: number; path: string; made: OwnedProgram };

/** An endpoint that gets sales and fails. */
async function failing(status = 500): Promise<Endpoint> {
  const made = await ownedProgram(service);
  const path = `/${newId('hook')}`;
  receiver.answer(path, { status });
  const body = { url: receiver.url(path), types: ['sale.created'] };
  const reply = await asOwner(service, made, 'POST', '/webhooks', body);
  return { id: reply.body.data.id, path, made };
}

async function sell({ made }: Endpoint): Promise<void> {
  const transactionId = newId('order');
  await service.customer(made, `user-${transactionId}`);
  const sale = { transaction_id: transactionId, amount_cents: 10_000, customer_key: `user-${transactionId}` };
  expect((await service.sale(sale, { key: made.apiKey })).status).toBe(200);
  await service.ctx.numbering.idle();
  await attempted();
}

/** Resolves when everything that is due has been tried. */
async function attempted(): Promise<void> {
  service.ctx.deliveries.wake();
  await expect
    .poll(() =>
      service.sql(
        `select d.id from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
         where w.status = 'active' and d.status = 'pending' and d.due_at <= $1
         union all select 0 from outbox`,
        [service.time],
      ),
    )
    .toEqual([]);
  await service.ctx.deliveries.idle();
}

/** Lets time pass in steps of two hours, with the attempts and jobs that are due then. */
async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 2) {
    service.advance({ seconds: 2 * HOUR });
    await attempted();
    await disableFailingWebhooks.run(service.ctx);
  }
}

const show = async ({ made, id }: Endpoint) => (await asOwner(service, made, 'GET', `/webhooks/${id}`)).body.data;

const mailsOf = ({ made }: Endpoint) =>
  service.sql<{ kind: string; user_id: string }>(
    `select kind, user_id from mails where program_id = $1 and kind like 'webhook%' order by id, user_id`,
    [made.program.id],
  );

const auditOf = async ({ made }: Endpoint) => {
  const { body } = await service.call('GET', '/api/v1/manage/audit', { key: made.owner.token });
  return body.data as { action: string; actor_kind: string; sentence: string }[];
};

describe('an endpoint at which every event fails', () => {
  it('is warned about after a day and disabled after five, with one mail to each owner, on however many nodes', async () => {
    const endpoint = await failing();
    const { made } = endpoint;
    const other = await memberOf(service, made.workspaceId);
    await memberOf(service, made.workspaceId, 'member');
    const owners = [made.owner.userId, other.userId].sort();
    const toOwners = (kind: string) => owners.map((user_id) => ({ kind, user_id }));
    const runOnNodes = () => Promise.all([1, 2, 3, 4].map(() => disableFailing(service.ctx)));

    await sell(endpoint);
    const since = service.time;
    expect(await show(endpoint)).toMatchObject({ status: 'active', failing_since: since.toISOString() });
    service.advance({ seconds: 12 * HOUR });
    await sell(endpoint);
    await disableFailing(service.ctx);
    expect(await mailsOf(endpoint)).toEqual([]);
    service.advance({ seconds: 12 * HOUR });
    await sell(endpoint);
    await runOnNodes();
    expect(await mailsOf(endpoint)).toEqual(toOwners('webhook_failing'));

    for (const _day of [2, 3, 4]) {
      service.advance({ days: 1 });
      await sell(endpoint);
      await disableFailing(service.ctx);
    }
    expect(await show(endpoint)).toMatchObject({ status: 'active', failing_since: since.toISOString() });
    expect(await mailsOf(endpoint)).toHaveLength(2);
    service.advance({ days: 1 });
    await sell(endpoint);
    await runOnNodes();
    expect(await show(endpoint)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    expect(await mailsOf(endpoint)).toEqual([...toOwners('webhook_failing'), ...toOwners('webhook_disabled')]);
    const disabled = (await auditOf(endpoint)).filter(({ action }) => action === 'webhook.disabled');
    expect(disabled).toMatchObject([
      {
        actor_kind: 'job',
        sentence: `The service disabled the webhook endpoint ${receiver.url(`/…${endpoint.path.slice(-4)}`)}, at which nothing arrived for five days`,
      },
    ]);
    const calls = receiver.at(endpoint.path).length;
    await sell(endpoint);
    expect(receiver.at(endpoint.path)).toHaveLength(calls);
  });

  it('is not disabled for one event, nor for another one that fails weeks later', async () => {
    const endpoint = await failing();
    await sell(endpoint);
    await pass(40);
    expect(receiver.at(endpoint.path)).toHaveLength(8);
    expect((await mailsOf(endpoint)).map(({ kind }) => kind)).toEqual(['webhook_failing']);
    service.advance({ days: 60 });
    await disableFailingWebhooks.run(service.ctx);
    await sell(endpoint);
    await disableFailingWebhooks.run(service.ctx);
    expect(await show(endpoint)).toMatchObject({ status: 'active' });
    receiver.answer(endpoint.path, { status: 200 });
    service.advance({ seconds: 6 });
    await attempted();
    expect(await show(endpoint)).toMatchObject({ status: 'active', failing_since: null });
    expect(await mailsOf(endpoint)).toHaveLength(1);
  });

  it('is disabled too if there are few events and all of them fail', async () => {
    const endpoint = await failing();
    for (const _event of [1, 2]) {
      await sell(endpoint);
      await pass(72);
    }
    expect(await show(endpoint)).toMatchObject({ status: 'active' });
    for (const _event of [3, 4]) {
      await sell(endpoint);
      await pass(72);
    }
    expect(await show(endpoint)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  });

  it('is forgiven when a test arrives, its address changes, or it is enabled again', async () => {
    const endpoint = await failing();
    const { made, id, path } = endpoint;
    const patch = (body: object) => asOwner(service, made, 'PATCH', `/webhooks/${id}`, body);
    const health = () =>
      service.sql(
        `select failing_since is null as well, failing_ms, last_failed_at, warned_at from webhook_endpoints where id = $1`,
        [id],
      );
    const well = [{ well: true, failing_ms: 0, last_failed_at: null, warned_at: null }];
    const fail = async () => {
      await sell(endpoint);
      await pass(34);
      expect(await health()).toMatchObject([{ well: false, warned_at: expect.any(Date) }]);
    };
    await fail();
    await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    expect(await health()).toMatchObject([{ well: false }]);
    receiver.answer(path, { status: 200 });
    await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    expect(await health()).toEqual(well);
    receiver.answer(path, { status: 500 });
    await fail();
    await patch({ url: receiver.url(path), description: 'Still the same' });
    expect(await health()).toMatchObject([{ well: false }]);
    await patch({ url: `${receiver.url(path)}?v=2` });
    expect(await health()).toEqual(well);
    await patch({ url: receiver.url(path) });
    await fail();
    await patch({ status: 'disabled' });
    await patch({ status: 'active' });
    expect(await health()).toEqual(well);
    // Each stretch of failures is warned about.
    expect((await mailsOf(endpoint)).map(({ kind }) => kind)).toEqual(Array(3).fill('webhook_failing'));
  });
});

describe('an endpoint that answers 410', () => {
  it('is disabled with one mail to each owner, and the audit log says so', async () => {
    const endpoint = await failing(410);
    await Promise.all([sell(endpoint), sell(endpoint), sell(endpoint)]);
    expect(await show(endpoint)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    expect(await mailsOf(endpoint)).toEqual([{ kind: 'webhook_disabled', user_id: endpoint.made.owner.userId }]);
    const disabled = (await auditOf(endpoint)).filter(({ action }) => action === 'webhook.disabled');
    expect(disabled.map(({ sentence }) => sentence)).toEqual([
      `The service disabled the webhook endpoint ${receiver.url(`/…${endpoint.path.slice(-4)}`)}, which wants no more events`,
    ]);
  });
});
