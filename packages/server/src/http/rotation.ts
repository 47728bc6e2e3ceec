import { ROTATION_HINT } from '@svc/contract';
import type { FastifyReply } from 'fastify';
import type { ProgramKey } from '../programs/api-key.ts';

/** Where the errors page explains the rotation of keys. */
export const rotationDocsUrl = (baseUrl: string) => `${baseUrl}/docs/errors#api_key_rotation_required`;

/** Tells on every answer that the key must be replaced, in headers that tools know and in the body for people. */
export function addRotationHeaders(reply: FastifyReply, key: ProgramKey, docsUrl: string): void {
  if (!key.markedAt || !key.rotateBy) return;
  reply.header('Deprecation', `@${Math.floor(key.markedAt.getTime() / 1000)}`);
  reply.header('Sunset', key.rotateBy.toUTCString());
  reply.header('Link', `<${docsUrl}>; rel="deprecation"`);
}

export function rotationWarnings(key: ProgramKey, docsUrl: string) {
  return [
    {
      code: 'api_key_rotation_required',
      message: 'This API key must be rotated. It stops working at rotate_by.',
      hint: ROTATION_HINT,
      rotate_by: key.rotateBy?.toISOString(),
      docs_url: docsUrl,
    },
  ];
}
