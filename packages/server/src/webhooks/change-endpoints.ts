import { randomBytes } from 'node:crypto';
import { errors, MAX_WEBHOOKS, type WebhookRow } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Encryption } from '../encryption.ts';
import { lockNumbering } from '../feed/feed-store.ts';
import type { CallOut } from '../outbound/call-out.ts';
import type { Program } from '../programs/program.ts';
import { findProgramForUpdate } from '../programs/program-store.ts';
import {
  deleteEndpoint,
  type EndpointChanges,
  findEndpoint,
  insertEndpoint,
  type NewEndpoint,
  updateDisabled,
  updateEnabled,
  updateEndpoint,
  updateSecret,
} from './endpoint-store.ts';
import { maskedUrl } from './masked-url.ts';
import { insertMissedDeliveries } from './send-again-store.ts';

export type WebhooksContext = Context & { encryption: Encryption; callOut: CallOut };

type Owner = Pick<Program, 'id' | 'workspaceId'>;

const SECRET_BYTES = 32;
const OVERLAP_MS = 24 * 3_600_000;

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Adds an endpoint. Its secret is returned only now. */
export function addEndpoint(
  ctx: WebhooksContext,
  program: Owner,
  asked: Omit<NewEndpoint, 'secretSealed'>,
  actor: Actor,
): Promise<WebhookRow & { secret: string }> {
  requireCallable(ctx, asked.url);
  const secret = newSecret();
  return ctx.db.transaction(async (tx) => {
    if (!(await findProgramForUpdate(tx, program.id))) throw errors.notFound();
    const endpoint = { ...asked, secretSealed: ctx.encryption.seal(secret) };
    const id = await insertEndpoint(tx, program.id, endpoint, MAX_WEBHOOKS, ctx.now());
    if (id === null) throw errors.tooManyWebhooks(MAX_WEBHOOKS);
    const after = { url: maskedUrl(asked.url), types: asked.types, format: asked.format };
    await insertAuditEvent(tx, { ...about(program, id, asked.url, actor), action: 'webhook.added', after }, ctx.now());
    return { ...(await findEndpoint(tx, program.id, id))!, secret };
  });
}

export type WebhookChanges = EndpointChanges & { status?: 'active' | 'disabled' | undefined; sendMissed?: boolean };

/** Changes what is given. An endpoint that is enabled again gets what it missed only if asked for. */
export function changeEndpoint(
  ctx: WebhooksContext,
  program: Owner,
  endpointId: number,
  { status, sendMissed = false, ...changes }: WebhookChanges,
  actor: Actor,
): Promise<WebhookRow> {
  if (changes.url !== undefined) requireCallable(ctx, changes.url);
  return ctx.db.transaction(async (tx) => {
    // What is being numbered is either among what was missed, or is delivered as to any active endpoint.
    if (status === 'active' && sendMissed) await lockNumbering(tx);
    const before = await findEndpoint(tx, program.id, endpointId);
    if (!before || !(await updateEndpoint(tx, program.id, endpointId, changes))) throw errors.notFound();
    if (status === 'disabled') await updateDisabled(tx, [endpointId], 'person');
    const missedAfter = status === 'active' ? await updateEnabled(tx, program.id, endpointId) : null;
    if (missedAfter !== null && sendMissed) await insertMissedDeliveries(tx, endpointId, missedAfter, ctx.now());
    const after = (await findEndpoint(tx, program.id, endpointId))!;
    const event = { ...about(program, endpointId, after.url, actor), action: 'webhook.changed' as const };
    await insertAuditEvent(tx, { ...event, before: settingsOf(before), after: settingsOf(after) }, ctx.now());
    return after;
  });
}

const settingsOf = ({ url, types, description, status }: WebhookRow) => ({
  url: maskedUrl(url),
  types,
  description,
  status,
});

export function removeEndpoint(ctx: Context, program: Owner, endpointId: number, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const gone = await deleteEndpoint(tx, program.id, endpointId);
    if (!gone) return;
    const event = { ...about(program, endpointId, gone.url, actor), action: 'webhook.deleted' as const };
    await insertAuditEvent(tx, { ...event, before: settingsOf(gone) }, ctx.now());
  });
}

/** Gives an endpoint a new secret, which is returned only now. For a day, deliveries are signed with both. */
export function rotateSecret(ctx: WebhooksContext, program: Owner, endpointId: number, actor: Actor): Promise<string> {
  const secret = newSecret();
  return ctx.db.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, program.id, endpointId);
    if (!endpoint) throw errors.notFound();
    const until = new Date(ctx.now().getTime() + OVERLAP_MS);
    await updateSecret(tx, program.id, endpointId, ctx.encryption.seal(secret), until);
    const event = { ...about(program, endpointId, endpoint.url, actor), action: 'webhook.secret_rotated' as const };
    await insertAuditEvent(tx, event, ctx.now());
    return secret;
  });
}

function requireCallable({ callOut }: WebhooksContext, url: string): void {
  const problem = callOut.problemOf(url);
  if (problem) throw errors.webhookUrl(problem);
}

function about({ id, workspaceId }: Owner, endpointId: number, url: string, actor: Actor): Omit<AuditEvent, 'action'> {
  return { workspaceId, programId: id, actor, subject: { type: 'webhook', id: endpointId, name: maskedUrl(url) } };
}
