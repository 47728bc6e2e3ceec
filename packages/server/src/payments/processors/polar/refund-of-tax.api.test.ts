import { POLAR_SECRET, PolarEvents, polarSigned } from '@svc/testkit/service/payments/polar.ts';
import { ledger, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { OPERATOR } from '../../../audit/audit-store.ts';
import { connectProcessor } from '../../connections/connect-processor.ts';

const service = useService();

it('a refund of tax alone takes no commission on the net amount', async () => {
  const made = await service.program({ commissionBase: 'net' });
  const secret = { value: POLAR_SECRET, isTest: false };
  const connection = { provider: 'polar' as const, accountId: null, secret, isSandbox: false };
  await connectProcessor(service.ctx, made.program, connection, { hasPlatform: false, actor: OPERATOR });
  await service.customer(made, 'user-1');
  const polar = new PolarEvents(service.time);
  const order = polar.order({ cents: 12_000, tax: 2_000, metadata: { svc_customer_key: 'user-1' } });
  const refund = polar.refund({ order: order.id, cents: 2_000, tax: 2_000 });
  for (const event of [polar.event('order.paid', order), polar.event('refund.created', refund)]) {
    const body = JSON.stringify(event);
    const headers = polarSigned(body, service.time);
    await service.call('POST', `/api/v1/webhooks/polar/${made.program.id}`, { body, headers });
    await settle(service);
  }
  expect(await ledger(service, made.program.id)).toMatchObject([{ refunded: 2_000, commission: 2_000, deducted: 0 }]);
});
