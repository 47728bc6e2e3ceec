import { ROTATION_HINT } from '@svc/contract';
import type { FastifyReply } from 'fastify';
import type { ProgramKey } from '../programs/api-key.ts';

/** Where the errors page explains key rotation. */
export const rotationDocsUrl = (baseUrl: string) => `${baseUrl}/docs/errors#api_key_rotation_required`;

/** Says in standard headers that the key must be replaced. */
export function addRotationHeaders(reply: FastifyReply, key: ProgramKey, docsUrl: string): void {
  if (!key.markedAt || !key.rotateBy) return;
  reply.header('Deprecation', `@${Math.floor(key.markedAt.getTime() / 1000)}`);
  reply.header('Sunset', key.rotateBy.toUTCString());
  reply.header('Link', `<${docsUrl}>; rel="deprecation"`);
}

/** Adds the warning to a body, of a success and of an error alike, while the key must be rotated. */
export function addRotationWarnings(body: unknown, key: ProgramKey | null, docsUrl: string): unknown {
  if (!key || typeof body !== 'object' || body === null) return body;
  const warning = {
    code: 'api_key_rotation_required',
    message: 'This API key must be rotated. It stops working at rotate_by.',
    hint: ROTATION_HINT,
    rotate_by: key.rotateBy?.toISOString(),
    docs_url: docsUrl,
  };
  return { ...body, warnings: [warning] };
}
