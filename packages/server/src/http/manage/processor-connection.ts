import type { manageProcessor, ProcessorName, ReplyOf } from '@svc/contract';
import { countUnlinkedInvoices } from '../../payments/charge-store.ts';
import { findProcessor } from '../../payments/connection-store.ts';
import type { Encryption } from '../../payments/encryption.ts';
import { processors } from '../../payments/processors/processors.ts';
import { listSecrets, type StoredSecret } from '../../payments/secret-store.ts';
import type { Program } from '../../programs/program.ts';
import { findLastProcessorEvents } from '../../reporting/processor-event-store.ts';
import type { ServiceContext } from '../service-context.ts';

type Reply = ReplyOf<typeof manageProcessor>;

/** The state of the program's connection to a processor, connected or not. */
export async function toConnectionReply(
  ctx: ServiceContext,
  program: Program,
  provider: ProcessorName,
): Promise<Reply> {
  const processor = processors[provider];
  // Only Stripe names the payment of an invoice in an event of its own.
  const hasInvoiceLinks = 'invoice_payment.paid' in processor.events;
  const [found, secrets, { last, failing }, unlinkedInvoices] = await Promise.all([
    findProcessor(ctx.db, program.id, provider),
    listSecrets(ctx.db, program.id, provider),
    findLastProcessorEvents(ctx.db, program.id, provider),
    hasInvoiceLinks ? countUnlinkedInvoices(ctx.db, program.id, ctx.now()) : 0,
  ]);
  return {
    data: {
      provider,
      title: processor.title,
      account_id: found?.accountId ?? null,
      account_status: found?.accountId ? (found.isAccountProven ? 'proven' : 'unproven') : null,
      status: found ? 'connected' : 'not_connected',
      sandbox: found?.isSandbox ?? false,
      webhook_url: `${ctx.baseUrl}/api/v1/webhooks/${provider}/${program.id}`,
      events: Object.keys(processor.events),
      event_uses: Object.entries(processor.events).map(([type, use]) => ({ type, use })),
      secret_prefix: processor.secret.prefix,
      test_mode_in_events: processor.tellsTestMode,
      secrets: secrets.map((secret) => toSecretReply(ctx.encryption, secret)),
      signature_mismatches: found?.lastMismatchAt
        ? { count: found.mismatches, last_at: found.lastMismatchAt.toISOString() }
        : null,
      last_event: last && {
        type: last.type,
        outcome: last.outcome,
        received_at: last.receivedAt.toISOString(),
      },
      last_error: failing && {
        event_id: failing.eventId,
        message: failing.lastError ?? '',
        at: (failing.workedAt ?? failing.receivedAt).toISOString(),
      },
      unlinked_invoices: unlinkedInvoices,
      connected_at: found?.connectedAt.toISOString() ?? null,
    },
  };
}

function toSecretReply(encryption: Encryption, secret: StoredSecret): Reply['data']['secrets'][number] {
  return {
    id: secret.id,
    label: secret.label,
    last_four: encryption.open(secret.sealed).slice(-4),
    test_mode: secret.isTest,
    created_at: secret.createdAt.toISOString(),
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
  };
}
