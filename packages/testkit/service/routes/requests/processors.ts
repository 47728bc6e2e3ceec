import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { addSecret } from '../../../../server/src/payments/connections/change-secrets.ts';
import { assignAccount } from '../../../../server/src/payments/connections/connect-processor.ts';
import { connectStripe, deliver, StripeEvents } from '../../payments/stripe.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

export const PROCESSOR_REQUESTS: RequestParts = {
  bodies: {
    manageConnectProcessor: () => ({ provider: 'stripe', webhook_secret: 'whsec_test' }),
    async manageAddProcessorSecret(service, created) {
      await connectStripe(service, created);
      return { provider: 'stripe', webhook_secret: `whsec_${newId('test')}` };
    },
    async processorWebhook(service, created) {
      await connectStripe(service, created);
      return new StripeEvents('2026', service.time).event('customer.created', {});
    },
    async stripePlatformWebhook(service, { program }) {
      const account = newId('acct');
      await assignAccount(service.ctx, program, account, OPERATOR);
      return { ...new StripeEvents('2026', service.time).event('customer.created', {}), account };
    },
  },
  first: { manageDisconnectProcessor: (service, created) => connectStripe(service, created) },
  params: {
    processor_event_id: processorEventIdOf,
    processor_secret_id: processorSecretIdOf,
    provider: () => 'stripe',
  },
};

/** The id of an event that the payment processor has sent to the program. */
export async function processorEventIdOf(service: TestService, made: TestProgram): Promise<number> {
  await connectStripe(service, made);
  const event = new StripeEvents('2026', service.time).event('customer.created', {});
  await deliver(service, made.program.id, event);
  const [row] = await service.sql<{ id: number }>('select id from processor_events where event_id = $1', [event.id]);
  return row?.id ?? 0;
}

/** The id of one of two signing secrets of the program. */
export async function processorSecretIdOf(service: TestService, made: TestProgram): Promise<number> {
  await connectStripe(service, made);
  await addSecret(service.ctx, made.program, 'stripe', { value: `whsec_${newId('second')}` }, OPERATOR);
  const [row] = await service.sql<{ id: number }>('select max(id) as id from processor_secrets where program_id = $1', [
    made.program.id,
  ]);
  return row?.id ?? 0;
}
