import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asset, Variant } from './asset.ts';

/** Lets pages of any origin load an asset, even cross-origin isolated ones. */
const FOR_ANY_PAGE = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
const FOR_OWN_PAGES = { 'Cross-Origin-Resource-Policy': 'same-origin' };

/** Sends an asset in the smallest encoding that the client accepts, or 304 if the client already has it. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  cacheControl: string,
  { ownPagesOnly = false } = {},
) {
  const variant = chooseVariant(asset, request.headers['accept-encoding']);
  reply.headers({
    'Cache-Control': cacheControl,
    ETag: variant.etag,
    ...(ownPagesOnly ? FOR_OWN_PAGES : FOR_ANY_PAGE),
    'X-Content-Type-Options': 'nosniff',
    ...(asset.variants.length > 1 && { Vary: 'Accept-Encoding' }),
  });
  if (isKnown(variant.etag, request.headers['if-none-match'])) return reply.code(304).send();
  if (variant.encoding) reply.header('Content-Encoding', variant.encoding);
  return reply.type(asset.contentType).send(variant.body);
}

function chooseVariant({ variants }: Asset, accepted = ''): Variant {
  const offers = accepted.split(',').map((offer) => offer.trim().toLowerCase());
  const accepts = (encoding: string) =>
    offers.some((offer) => offer.split(';')[0]?.trim() === encoding && !/;\s*q=0(\.0*)?$/.test(offer));
  return variants.find(({ encoding }) => encoding === undefined || accepts(encoding)) as Variant;
}

/** Whether the client says that it has what the ETag names. */
export function isKnown(etag: string, known = ''): boolean {
  return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
