import { randomUUID } from 'node:crypto';
import { insertAlert } from '../../../../server/src/alerts/alert-store.ts';
import { insertTestDelivery } from '../../../../server/src/webhooks/delivery-store.ts';
import { insertEndpoint } from '../../../../server/src/webhooks/endpoint-store.ts';
import { eventually } from '../../eventually.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

export const WEBHOOK_REQUESTS: RequestParts = {
  bodies: {
    manageAddWebhook: () => ({ url: 'https://acme.example/hooks/svc', types: ['sale.created', 'commission.paid'] }),
    manageChangeWebhook: () => ({ description: newId('CRM') }),
    manageReplayWebhook: () => ({ from: '2020-01-01', to: '2030-01-01' }),
  },
  first: { manageWebhooks: webhookIdOf, manageAlerts: failingEndpoint },
  params: {
    async webhook_id(service, created, routeId) {
      const id = await webhookIdOf(service, created);
      if (routeId === 'manageDeliveries') await deliveryIdOf(service, id);
      return id;
    },
    // A path that names the endpoint names it before the delivery.
    async delivery_id(service, created) {
      const [made] = await service.sql<{ id: number | null }>(
        'select max(id) as id from webhook_endpoints where program_id = $1',
        [created.program.id],
      );
      return deliveryIdOf(service, made?.id ?? (await webhookIdOf(service, created)));
    },
    sequence: sequenceOf,
  },
  // Until the first event of the program has its number.
  queries: { listEvents: () => 'wait=20' },
};

/** The number of an event of the program, once it has one. */
async function sequenceOf(service: TestService, { program }: TestProgram): Promise<number> {
  const numbered = async () => {
    const [row] = await service.sql<{ first: number | null }>(
      'select min(sequence) as first from feed_events where program_id = $1',
      [program.id],
    );
    return row?.first ?? 0;
  };
  return eventually(numbered, (sequence) => sequence > 0);
}

/** The id of an endpoint of the program. Its address is forbidden, and it gets nothing but what it is asked to. */
async function webhookIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const endpoint = {
    url: 'https://127.0.0.1/hook',
    types: ['alert.opened' as const],
    description: null,
    format: 'json' as const,
  };
  const secretSealed = service.ctx.encryption.seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const max = Number.MAX_SAFE_INTEGER;
  return (await insertEndpoint(service.ctx.db, program.id, { ...endpoint, secretSealed }, max, service.time)) ?? 0;
}

/** An alert about an endpoint of the program. */
async function failingEndpoint(service: TestService, { program }: TestProgram): Promise<void> {
  const trouble = {
    programId: program.id,
    kind: 'webhook_failing',
    subjectId: '1',
    subjectName: 'acme.example',
  } as const;
  await insertAlert(service.ctx.db, trouble, service.time);
}

/** The id of a delivery to the endpoint. */
function deliveryIdOf(service: TestService, webhookId: number): Promise<number> {
  const test = { eventId: randomUUID(), body: { id: 'evt_0' }, type: 'webhook.test' };
  return insertTestDelivery(service.ctx.db, webhookId, test, service.time);
}
