import { randomBytes } from 'node:crypto';
import { errors } from '@svc/contract';
import { isUniqueViolation, type Queryable } from '../db/db.ts';
import { isOriginAllowed } from '../programs/origins.ts';
import type { Program } from '../programs/program.ts';
import { insertLink, type ListedLink } from './link-store.ts';
import { findPartner } from './partner-store.ts';

export type NewPartnerLink = {
  /** The owner of the link. */
  partnerId: number | undefined;
  /** The value of `aff`; generated if absent. */
  shortLink?: string;
  destinationUrl?: string;
};

/**
 * Adds a link for a partner of the program. It leads to the program's own site or to an origin that the brand allows, because
 * visitors trust it as the brand's. A short link is unique across all programs.
 */
export async function addLink(
  db: Queryable,
  program: Pick<Program, 'id' | 'domain' | 'allowedOrigins'>,
  { partnerId, shortLink = randomBytes(5).toString('hex'), destinationUrl = '' }: NewPartnerLink,
  now: Date,
): Promise<ListedLink> {
  if (partnerId === undefined) throw errors.partnerRequired();
  const isAllowed = destinationUrl === '' || isOriginAllowed(program, new URL(destinationUrl).origin);
  if (!isAllowed) throw errors.destinationNotAllowed(program.domain);
  const partner = await findPartner(db, program.id, partnerId);
  if (!partner) throw errors.notFound();
  const link = { partnerId, shortLink, destinationUrl: destinationUrl || null };
  const id = await insertLink(db, { ...link, programId: program.id }, now).catch((error) => {
    throw isUniqueViolation(error) ? errors.shortLinkTaken(shortLink) : error;
  });
  return { ...link, id, active: true, partnerName: partner.name, createdAt: now };
}
