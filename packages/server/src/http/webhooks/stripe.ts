import { errors, type ReplyOf, stripePlatformWebhook, stripeWebhook } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { proveAccount } from '../../payments/connect-processor.ts';
import { findProcessorSecret, listProgramsOfAccount } from '../../payments/connection-store.ts';
import { type CheckedEvent, checkEvent, namedProgram, receiveEvent } from '../../payments/receive-event.ts';
import { addRoute } from '../add-route.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';

/** Events with many invoice lines are large. */
const MAX_EVENT_BYTES = 1024 * 1024;

/** The routes that Stripe calls. The signature covers the raw bytes, so the body is not parsed. */
export function addWebhookRoutes(app: FastifyInstance, ctx: ServiceContext, platformSecret: string | undefined): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) => {
    done(null, body);
  });

  addRoute(app, stripeWebhook, async (request) => {
    const programId = idParam(request, 'program_id');
    const sealed = await findProcessorSecret(ctx.db, programId);
    if (sealed === null) throw errors.processorNotConnected();
    return store([programId], signedEvent(request, ctx.encryption.open(sealed)));
  });

  addRoute(app, stripePlatformWebhook, async (request) => {
    if (!platformSecret) throw errors.processorNotConnected();
    const event = signedEvent(request, platformSecret);
    // An account that no program is connected to is acknowledged, so that Stripe does not send its events again.
    const programIds = event.account ? await programsOf(event.account, event) : [];
    return store(programIds, event);
  });

  async function programsOf(account: string, event: CheckedEvent): Promise<number[]> {
    await proveAccount(ctx, account, namedProgram(event));
    return listProgramsOfAccount(ctx.db, account);
  }

  function signedEvent(request: FastifyRequest, secret: string): CheckedEvent {
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const header = request.headers['stripe-signature'];
    const check = checkEvent({ raw, signature: String(header ?? '') }, secret, ctx.now());
    if (check.is === 'signature_invalid') throw errors.signatureInvalid();
    if (check.is === 'event_invalid') throw errors.eventInvalid();
    return check.event;
  }

  async function store(programIds: number[], event: CheckedEvent): Promise<ReplyOf<typeof stripeWebhook>> {
    const isNew = await receiveEvent(ctx, programIds, event);
    if (isNew) ctx.eventWorker.wake();
    return { received: true, duplicate: programIds.length > 0 && !isNew };
  }
}
