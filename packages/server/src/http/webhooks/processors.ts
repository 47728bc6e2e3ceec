import {
  errors,
  type ProcessorName,
  processorWebhook,
  programReference,
  type ReplyOf,
  stripePlatformWebhook,
} from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { proveAccount } from '../../payments/connections/connect-processor.ts';
import {
  listProgramsOfAccount,
  updateLateSignatures,
  updateMismatches,
} from '../../payments/connections/connection-store.ts';
import { listSecrets, updateSecretUse } from '../../payments/connections/secret-store.ts';
import { receiveEvent, type VerifiedEvent, verifyEvent } from '../../payments/events/receive-event.ts';
import { processors } from '../../payments/processors/processors.ts';
import { readNamedProgram, type StripeEvent } from '../../payments/processors/stripe/read-event.ts';
import { addRoute } from '../add-route.ts';
import { idParam } from '../id-param.ts';
import { providerParam } from '../provider-param.ts';
import type { ServiceContext } from '../service-context.ts';

/** What is counted of requests that are refused. */
const COUNTERS = { mismatch: updateMismatches, too_old: updateLateSignatures } as const;

/** The routes that payment processors call. The signature covers the raw bytes, so the body is not parsed. */
export function addWebhookRoutes(app: FastifyInstance, ctx: ServiceContext, platformSecret: string | undefined): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });

  addRoute(app, processorWebhook, async (request) => {
    const provider = providerParam(request);
    const programId = idParam(request, 'program_id');
    const secrets = await listSecrets(ctx.db, programId, provider);
    if (secrets.length === 0) throw errors.processorNotConnected();
    const values = secrets.map(({ sealed }) => ctx.encryption.open(sealed));
    const event = await verifiedEvent(provider, request, values, (why) =>
      COUNTERS[why](ctx.db, programId, provider, ctx.now()),
    );
    const secret = secrets[event.signedBy];
    const answer = await store([programId], { ...event, isLive: event.isLive && !secret?.isTest });
    if (secret) await updateSecretUse(ctx.db, secret, ctx.now());
    return answer;
  });

  addRoute(app, stripePlatformWebhook, async (request) => {
    if (!platformSecret) throw errors.processorNotConnected();
    const event = await verifiedEvent('stripe', request, [platformSecret]);
    // An account that no program is connected to is acknowledged, so that Stripe does not send its events again.
    const programIds = event.account ? await programsOf(event.account, event) : [];
    return store(programIds, event);
  });

  async function programsOf(account: string, { payload }: VerifiedEvent): Promise<number[]> {
    await proveAccount(ctx, account, programReference.parse(readNamedProgram(payload as StripeEvent)));
    return listProgramsOfAccount(ctx.db, account);
  }

  async function verifiedEvent(
    provider: ProcessorName,
    request: FastifyRequest,
    secrets: string[],
    onRefused?: (why: keyof typeof COUNTERS) => Promise<void>,
  ): Promise<VerifiedEvent> {
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const verification = await verifyEvent(provider, { raw, headers: request.headers }, secrets, ctx.now());
    if (verification.is === 'event') return verification.event;
    if (verification.is === 'not_an_event') throw notAnEvent(provider);
    if (verification.is !== 'unsigned') await onRefused?.(verification.is);
    throw verification.is === 'too_old' ? errors.signatureTooOld() : errors.signatureInvalid();
  }

  async function store(programIds: number[], event: VerifiedEvent): Promise<ReplyOf<typeof processorWebhook>> {
    const isNew = await receiveEvent(ctx, programIds, event);
    if (isNew) ctx.eventWorker.wake();
    return { received: true, duplicate: programIds.length > 0 && !isNew };
  }
}

function notAnEvent(provider: ProcessorName) {
  const { title, expected } = processors[provider];
  return errors.eventInvalid(title, expected);
}
