import { randomBytes } from 'node:crypto';
import { errors } from '@svc/contract';
import { isUniqueViolation, type Queryable } from '../db/db.ts';
import { insertLink, type ListedLink } from './link-store.ts';
import { findPartner } from './partner-store.ts';

export type NewPartnerLink = {
  /** The owner of the link. */
  partnerId: number | undefined;
  /** The value of `aff`; generated if absent. */
  shortLink?: string;
  destinationUrl?: string;
};

/** Adds a link for a partner of the program. A short link is unique across all programs. */
export async function addLink(
  db: Queryable,
  programId: number,
  { partnerId, shortLink = randomBytes(5).toString('hex'), destinationUrl = '' }: NewPartnerLink,
  now: Date,
): Promise<ListedLink> {
  if (partnerId === undefined) throw errors.partnerRequired();
  const partner = await findPartner(db, programId, partnerId);
  if (!partner) throw errors.notFound();
  const link = { partnerId, shortLink, destinationUrl: destinationUrl || null };
  const id = await insertLink(db, { ...link, programId }, now).catch((error) => {
    throw isUniqueViolation(error) ? errors.shortLinkTaken(shortLink) : error;
  });
  return { ...link, id, active: true, partnerName: partner.name, createdAt: now };
}
