import { insertAuditEvent, jobActor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { queueMailToAll } from '../mail/queue-mail.ts';
import { listOwnerIds } from '../mail/recipient-store.ts';
import { findProgram } from '../programs/program-store.ts';
import { listToldEndpoints, type ToldEndpoint } from './endpoint-store.ts';
import { maskedUrl } from './masked-url.ts';

type TellingContext = Pick<Context, 'now' | 'mail'>;

/** Tells the owners that nothing has arrived at an endpoint for a day. Deleted programs have nobody to be told. */
export async function tellFailing(ctx: TellingContext, tx: Transaction, endpointId: number): Promise<void> {
  for (const endpoint of await listToldEndpoints(tx, [endpointId])) {
    const program = await findProgram(tx, endpoint.programId);
    if (!program) continue;
    const since = sinceOf(endpoint, ctx.now());
    await queueMailToAll(tx, ctx, await listOwnerIds(tx, program.workspaceId), {
      kind: 'webhook_failing',
      cause: `${endpoint.id} ${since}`,
      programId: program.id,
      fields: { host: hostOf(endpoint), since, error: endpoint.lastError },
    });
  }
}

/** Tells the owners, and the audit log, that the service has disabled endpoints. */
export async function tellDisabled(
  ctx: TellingContext,
  tx: Transaction,
  endpointIds: number[],
  reason: 'failing' | 'gone',
): Promise<void> {
  const now = ctx.now();
  for (const endpoint of await listToldEndpoints(tx, endpointIds)) {
    const program = await findProgram(tx, endpoint.programId);
    if (!program) continue;
    const { id: programId, workspaceId } = program;
    const subject = { type: 'webhook', id: endpoint.id, name: maskedUrl(endpoint.url) } as const;
    const event = { workspaceId, programId, actor: jobActor('webhooks'), action: 'webhook.disabled', subject } as const;
    await insertAuditEvent(tx, { ...event, before: { status: 'active' }, after: { status: 'disabled', reason } }, now);
    await queueMailToAll(tx, ctx, await listOwnerIds(tx, workspaceId), {
      kind: 'webhook_disabled',
      cause: `${endpoint.id} ${now.toISOString()}`,
      programId,
      fields: {
        host: hostOf(endpoint),
        since: sinceOf(endpoint, now),
        error: endpoint.lastError,
        isGone: reason === 'gone',
      },
    });
  }
}

const hostOf = ({ url }: ToldEndpoint) => new URL(url).host;

const sinceOf = ({ failingSince }: ToldEndpoint, now: Date) => (failingSince ?? now).toISOString();
