import { Readable } from 'node:stream';
import {
  type Complete,
  errors,
  manageAddCreative,
  manageCreativeFile,
  manageCreatives,
  manageDeleteCreative,
  manageOrderCreatives,
  manageUpdateCreative,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addCreative, changeCreative, orderCreatives, removeCreative } from '../../creatives/change-creatives.ts';
import { findCreativeFile, listCreatives, listCreativesFor } from '../../creatives/creative-store.ts';
import { isKnown } from '../assets/send-asset.ts';
import { bodyOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';

/** The file of a creative never changes. Whether someone may see it is up to the service, so only their own browser keeps it. */
const FOREVER = 'private, max-age=31536000, immutable';
/** Nothing in a file runs, wherever it is opened. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

export function addManageCreativeRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCreatives, async ({ program, partnerId }) => ({
    data:
      partnerId === null
        ? await listCreatives(ctx.db, program.id)
        : await listCreativesFor(ctx.db, program.id, partnerId),
  }));

  addProgramRoute(app, ctx, manageAddCreative, async ({ program, actor }, request) => {
    const { kind, title, status, ...body } = bodyOf(manageAddCreative, request);
    const { file_name: name, content, url = null, text = null, group_id: groupId = null } = body;
    const file = name !== undefined && content !== undefined ? { name, contentBase64: content } : null;
    return { data: await addCreative(ctx, program, { kind, title, status, groupId, url, text, file }, actor) };
  });

  addProgramRoute(app, ctx, manageUpdateCreative, async ({ program, actor }, request) => {
    const body = bodyOf(manageUpdateCreative, request);
    const { title, status, url, text, group_id: groupId } = body;
    const changes = { title, status, url, text, groupId } satisfies Complete<typeof body>;
    return { data: await changeCreative(ctx, program, idParam(request, 'creative_id'), changes, actor) };
  });

  addProgramRoute(app, ctx, manageDeleteCreative, async ({ program, actor }, request) => {
    await removeCreative(ctx, program, idParam(request, 'creative_id'), actor);
    return { data: {} };
  });

  addProgramRoute(app, ctx, manageOrderCreatives, async ({ program, actor }, request) => ({
    data: await orderCreatives(ctx, program, bodyOf(manageOrderCreatives, request).ids, actor),
  }));

  addProgramRoute(app, ctx, manageCreativeFile, async ({ program, partnerId }, request, reply) => {
    const of = { programId: program.id, partnerId };
    const file = await findCreativeFile(ctx.db, of, idParam(request, 'creative_id'));
    if (!file) throw errors.notFound();
    const etag = `"${file.sha256}"`;
    reply.headers({
      'Cache-Control': FOREVER,
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Resource-Policy': 'same-origin',
      ETag: etag,
    });
    if (isKnown(etag, request.headers['if-none-match'])) {
      reply.code(304);
      return Readable.from([]);
    }
    const bytes = Buffer.from(file.contentBase64, 'base64');
    reply.headers({
      'Content-Type': file.mediaType,
      // Pages show it as an image all the same. What is opened by itself is saved.
      'Content-Disposition': `attachment; filename="${file.name}"`,
      'Content-Length': bytes.length,
    });
    return Readable.from([bytes]);
  });
}
