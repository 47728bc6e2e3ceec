import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { findLogo } from '../../programs/join-page-store.ts';
import type { Program } from '../../programs/program.ts';
import type { ServiceContext } from '../service-context.ts';
import { assetOf } from './asset.ts';
import { sendAsset } from './send-asset.ts';

const PATH = '/logos';
/** The name contains a hash of the image, so another image has another address. */
const FOREVER = 'public, max-age=31536000, immutable';

/** The logos of programs, for their join pages and portals. They are images of known formats, and nothing in them runs. */
export function addLogoRoute(app: FastifyInstance, ctx: ServiceContext): void {
  app.get<{ Params: { name: string } }>(`${PATH}/:name`, async (request, reply) => {
    const { name } = request.params;
    const logo = /^[0-9a-f]{32}\.(png|jpg|webp)$/.test(name) ? await findLogo(ctx.db, name) : null;
    if (!logo) throw errors.notFound();
    reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
    const asset = assetOf(Buffer.from(logo.contentBase64, 'base64'), logo.mediaType);
    return sendAsset(request, reply, asset, FOREVER, { ownPagesOnly: true });
  });
}

/** The address of the program's logo, if it has one. */
export function logoUrl(ctx: Pick<ServiceContext, 'baseUrl'>, { logoName }: Pick<Program, 'logoName'>): string | null {
  return logoName && `${ctx.baseUrl}${PATH}/${logoName}`;
}
