import { everythingStored, manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { CUSTOM_SECRET, customSigned } from '@svc/testkit/service/payments/custom.ts';
import { newId, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

it('nothing that a shop calls its payments and refunds names an erased customer', async () => {
  const made = await ownedProgram(service);
  const key = { key: made.owner.token };
  const connection = { provider: 'custom', webhook_secret: CUSTOM_SECRET };
  expect((await service.call('PUT', manage(made, '/processor'), { ...key, body: connection })).status).toBe(200);
  const name = newId('jane-doe');
  await service.customer(made, name);
  const at = service.time.toISOString();
  const send = async (id: string, event: object) => {
    const body = JSON.stringify({ at, ...event });
    const headers = customSigned(body, service.time, id);
    const sent = await service.call('POST', `/api/v1/webhooks/custom/${made.program.id}`, { body, headers });
    expect(sent.status).toBe(200);
    await settle(service);
  };
  const transaction = { transaction_id: `order of ${name}`, amount_cents: 5_000 };
  await send(`paid ${name}`, {
    type: 'payment',
    ...transaction,
    payer: { customer_key: name, customer_id: `c ${name}` },
    subscription: { id: `subscription of ${name}`, stage: 'start' },
  });
  await send(`refunded ${name}`, { type: 'refund', ...transaction, amount_cents: 100, refund_id: `refund of ${name}` });
  await send(`disputed ${name}`, {
    type: 'dispute',
    ...transaction,
    amount_cents: 100,
    dispute_id: `dispute of ${name}`,
  });

  const [customer] = await service.sql<{ id: number }>('select id from customers where customer_key = $1', [name]);
  const erased = await service.call('POST', manage(made, `/customers/${customer?.id}/erase`), { ...key, body: {} });
  expect(erased.status).toBe(200);
  const stored = JSON.parse(await everythingStored(service))[0] as Record<string, object[]>;
  const named = Object.entries(stored).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row)
        .filter(([, value]) => JSON.stringify(value)?.includes(name))
        .map(([column]) => `${table}.${column}`),
    ),
  );
  expect(named).toEqual([]);
});
