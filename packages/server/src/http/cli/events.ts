import {
  cliStatus,
  cliStripeConnect,
  cliTestEvent,
  type EventType,
  errors,
  type manageTestChain,
  type ReplyOf,
  ServiceError,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { reportStatus } from '../../reporting/report-status.ts';
import { createTestTransactionIds } from '../../sales/record-test-sale.ts';
import { recordTestEvent } from '../../test-events/record-test-event.ts';
import { type ChainOutcome, runChain } from '../../test-events/run-chain.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import { keyActorOf } from '../callers/actor.ts';
import { programOfKey } from '../callers/program-of-key.ts';
import type { ServiceContext } from '../service-context.ts';

export function addCliEventRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const nextTestId = createTestTransactionIds(ctx.now);

  addRoute(app, cliStatus, async (request) => {
    const program = await programOfKey(ctx, request);
    const { signals, counts, readiness } = await reportStatus(ctx, program);
    return {
      data: {
        program_id: program.id,
        name: program.name,
        domain: program.domain,
        stripe_connected: counts.isStripeConnected,
        stripe_charges_enabled: counts.isStripeConnected && counts.hasStripeSent,
        dns_verified: signals.ownEvents.click !== null,
        cookie_set_by: signals.ownEvents.cookieSetBy,
        recent_events: {
          clicks_24h: signals.counts24h.clicks,
          leads_24h: signals.counts24h.leads,
          sales_24h: signals.counts24h.sales,
        },
        active_partners: counts.activePartners,
        pending_commissions: counts.pendingCommissions,
        readiness,
      },
    };
  });

  addRoute(app, cliTestEvent, async (request) => {
    const body = bodyOf(cliTestEvent, request);
    const program = await programOfKey(ctx, request);
    const how = { requestId: request.id, nextTestId };
    if (body.type === 'chain') {
      const chain = await runChain(ctx, program, { ...how, actor: keyActorOf(request) }).catch((error) => {
        if (error instanceof ServiceError) throw error;
        throw Object.assign(errors.chainFailed(request.id), { cause: error });
      });
      return toChainReply(chain);
    }
    const eventType = body.event_type ?? 'click';
    return toEventReply(eventType, await recordTestEvent(ctx, program, eventType, how));
  });

  addRoute(app, cliStripeConnect, async () => {
    throw errors.stripeConnectRetired();
  });
}

function toEventReply(eventType: EventType, eventId: number): ReplyOf<typeof cliTestEvent> {
  const message = `Test ${eventType} event received. It is not attributed to a partner: run the chain to test attribution.`;
  return { data: { event_type: eventType, event_id: eventId, received: true, attributed: false, message } };
}

export function toChainReply({
  shortCode,
  customerKey,
  verdict,
  attributed,
}: ChainOutcome): ReplyOf<typeof manageTestChain> {
  return { data: { type: 'chain', short_code: shortCode, customer_key: customerKey, verdict, attributed } };
}
