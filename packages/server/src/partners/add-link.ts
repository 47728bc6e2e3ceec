import { randomBytes } from 'node:crypto';
import { errors } from '@svc/contract';
import { isUniqueViolation, type Queryable } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { destinationOf } from './link.ts';
import { insertLink, type ListedLink } from './link-store.ts';
import { findPartner } from './partner-store.ts';

export type NewPartnerLink = {
  /** The owner of the link. */
  partnerId: number | undefined;
  /** The value of `aff`; generated if absent. */
  shortLink?: string;
  destinationUrl?: string;
  label?: string | null;
};

/** Adds a link for a partner of the program, to a page that the brand allows. A short link is unique across all programs. */
export async function addLink(
  db: Queryable,
  program: Pick<Program, 'id' | 'domain' | 'allowedOrigins'>,
  { partnerId, shortLink = randomBytes(5).toString('hex'), destinationUrl = '', label = null }: NewPartnerLink,
  now: Date,
): Promise<ListedLink> {
  if (partnerId === undefined) throw errors.partnerRequired();
  const destination = requireDestination(program, destinationUrl || null);
  const partner = await findPartner(db, program.id, partnerId);
  if (!partner) throw errors.notFound();
  const link = { partnerId, shortLink, destinationUrl: destination, label };
  const id = await insertLink(db, { ...link, programId: program.id }, now).catch((error) => {
    throw isUniqueViolation(error) ? errors.shortLinkTaken(shortLink) : error;
  });
  return { ...link, id, active: true, partnerName: partner.name, createdAt: now, deletedAt: null };
}

/** The destination as it is stored; null is the start page of the program's site. */
export function requireDestination(
  program: Pick<Program, 'domain' | 'allowedOrigins'>,
  given: string | null,
): string | null {
  const destination = given === null ? null : destinationOf(program, given);
  if (given !== null && destination === null) throw errors.destinationNotAllowed(program.domain);
  return destination;
}
