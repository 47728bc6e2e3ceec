import { randomBytes } from 'node:crypto';
import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { isUniqueViolation, type Queryable } from '../../db/db.ts';
import { announce } from '../../outbox/announce.ts';
import type { Program } from '../../programs/program.ts';
import { findPartner } from '../partner-store.ts';
import { destinationOf } from './link.ts';
import { LINK_ROWS } from './link-list-store.ts';
import { insertLink, isAlias, type StoredLink } from './link-store.ts';

export type NewPartnerLink = {
  /** The owner of the link. */
  partnerId: number | undefined;
  /** The value of `aff`; generated if absent. */
  shortLink?: string;
  destinationUrl?: string;
  label?: string | null;
};

/** Adds a link, says so in the audit log, and returns its id. */
export function addPartnerLink(
  ctx: Context,
  program: LinkedProgram & Pick<Program, 'workspaceId'>,
  newLink: NewPartnerLink,
  actor: Actor,
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const link = await addLink(tx, program, newLink, ctx.now());
    const subject = { type: 'link', id: link.id, name: link.shortLink } as const;
    const { partnerId, destinationUrl, label } = link;
    const after = { partner_id: partnerId, destination_url: destinationUrl, label };
    const event = { workspaceId: program.workspaceId, programId: program.id, actor, subject, after } as const;
    await insertAuditEvent(tx, { ...event, action: 'link.created' }, ctx.now());
    const created = { type: 'link.created', programId: program.id, id: link.id } as const;
    announce(ctx, tx, [{ rows: LINK_ROWS, events: [created] }]);
    return link.id;
  });
}

type LinkedProgram = Pick<Program, 'id' | 'domain' | 'allowedOrigins'>;

/** Adds a link for a partner of the program, to a page that the brand allows. A short link is unique across all programs. */
export async function addLink(
  db: Queryable,
  program: LinkedProgram,
  { partnerId, shortLink = randomBytes(5).toString('hex'), destinationUrl = '', label = null }: NewPartnerLink,
  now: Date,
): Promise<StoredLink> {
  if (partnerId === undefined) throw errors.partnerRequired();
  const destination = requireDestination(program, destinationUrl || null);
  if (!(await findPartner(db, program.id, partnerId))) throw errors.notFound();
  // Its clicks would no longer be those of the partner to whom the code leads.
  if (await isAlias(db, program.id, shortLink)) throw errors.shortLinkTaken(shortLink);
  const link = { partnerId, shortLink, destinationUrl: destination, label };
  const id = await insertLink(db, { ...link, programId: program.id }, now).catch((error) => {
    throw isUniqueViolation(error) ? errors.shortLinkTaken(shortLink) : error;
  });
  return { ...link, id, active: true };
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
