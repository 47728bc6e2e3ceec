import { createHash } from 'node:crypto';
import { hasEntityTag } from '@svc/contract';
import type { FastifyInstance } from 'fastify';

/** Replies about one resource have an ETag. A caller who has what it names gets 304 without a body. */
export function addEntityTags(app: FastifyInstance): void {
  app.addHook('onRoute', (options) => {
    const { config } = options;
    if (!config?.definition || !hasEntityTag(config.definition)) return;
    options.onSend = (request, reply, payload, done) => {
      if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
      const tag = `"${createHash('sha256').update(payload).digest('base64url')}"`;
      reply.header('ETag', tag);
      if (!isNamed(tag, request.headers['if-none-match'])) return done(null, payload);
      reply.code(304).removeHeader('Content-Type');
      return done(null, null);
    };
  });
}

/** Proxies that compress replies mark the tag as weak. */
function isNamed(tag: string, sent: string | undefined): boolean {
  const named = (sent ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return named.includes(tag) || named.includes('*');
}
