import { createHash } from 'node:crypto';
import { errors, hasEntityTag } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../db/db.ts';
import { insideTransaction } from '../db/inside-transaction.ts';
import { exactJson } from './exact-json.ts';
import type { ServiceContext } from './service-context.ts';

/** Replies about one resource have an ETag. A caller who has what it names gets 304 without a body. */
export function addEntityTags(app: FastifyInstance): void {
  app.addHook('onRoute', (options) => {
    const { config } = options;
    if (!config?.definition || !hasEntityTag(config.definition)) return;
    options.onSend = (request, reply, payload, done) => {
      if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
      const tag = `"${stateOf(payload)}.${hashOf(payload)}"`;
      reply.header('ETag', tag);
      const named = tagsIn(request.headers['if-none-match']);
      if (!named.includes(tag) && !named.includes('*')) return done(null, payload);
      reply.code(304).removeHeader('Content-Type');
      return done(null, null);
    };
  });
}

/**
 * The context for a change of a resource that has an ETag. If the request says which one with `If-Match`, the transaction of the
 * change first calls `read`, which locks the resource and returns its reply, and goes on only if that is still what the caller read.
 */
export function ifUnchanged(
  ctx: ServiceContext,
  request: FastifyRequest,
  read: (inside: ServiceContext) => Promise<object>,
): ServiceContext {
  const named = tagsIn(request.headers['if-match']);
  if (named.length === 0) return ctx;
  const transaction: Db['transaction'] = (work) =>
    ctx.db.transaction(async (tx) => {
      const state = stateOf(exactJson(await read({ ...ctx, db: insideTransaction(ctx.db, tx) })));
      if (!named.includes('*') && !named.some((tag) => tag.startsWith(`"${state}.`))) throw errors.changedSinceRead();
      return work(tx);
    });
  return { ...ctx, db: { ...ctx.db, untimed: ctx.db.untimed, transaction } };
}

/** Proxies that compress replies mark the tag as weak. */
function tagsIn(sent: string | undefined): string[] {
  return sent === undefined ? [] : sent.split(',').map((each) => each.trim().replace(/^W\//, ''));
}

/** They change with every click or delivery, and nobody could ever change a busy link. */
const FIGURES = ['numbers', 'failing_since', 'last_delivery_at', 'last_delivery_status'];

/** What of a reply people change. */
function stateOf(payload: string): string {
  if (!FIGURES.some((name) => payload.includes(`"${name}":`))) return hashOf(payload);
  const { data } = JSON.parse(payload) as { data: object };
  return hashOf(JSON.stringify(Object.entries(data).filter(([name]) => !FIGURES.includes(name))));
}

/** Long enough that nobody finds two replies with the same one. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
