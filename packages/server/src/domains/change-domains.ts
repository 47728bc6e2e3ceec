import { errors, MAX_DOMAINS } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent, insertAuditEvents, jobActor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { findProgramForUpdate } from '../programs/program-store.ts';
import { type Domain, isHostOfSite, recordOf } from './domain.ts';
import {
  deleteDomain,
  findDomain,
  findDomainByHost,
  findOtherHolder,
  insertDomain,
  lockHost,
  type NewDomain,
  updateActive,
  updateLost,
} from './domain-store.ts';
import type { LookUpTxt } from './look-up-txt.ts';

export type DomainsContext = Context & {
  baseUrl: string;
  /** The key of the values of records. */
  domainSecret: string;
  lookUpTxt: LookUpTxt;
};

type Owner = Pick<Program, 'id' | 'workspaceId' | 'domain'>;

/**
 * Adds a host to the program: pending, unless another program has its links there. Then it is refused until the record of this
 * program is seen, and that of the other is gone. It moves here then.
 */
export async function addDomain(ctx: DomainsContext, program: Owner, host: string, actor: Actor): Promise<Domain> {
  if (host === new URL(ctx.baseUrl).hostname) throw errors.hostOfService();
  if (isHostOfSite(program, host)) throw errors.hostOfSite(host);
  const wanted = { programId: program.id, host };
  const holderId = await findOtherHolder(ctx.db, wanted);
  const isProven = holderId !== null && (await seenRecords(ctx, wanted, holderId)) === 'own';
  return ctx.db.transaction(async (tx) => {
    if (!(await findProgramForUpdate(tx, program.id))) throw errors.notFound();
    await lockHost(tx, host);
    const known = await findDomainByHost(tx, program.id, host);
    if (known && (known.status === 'active' || !isProven)) return known;
    await requireUnchangedHolder(ctx, tx, wanted, isProven ? holderId : null);
    const domain = known ?? (await insertDomain(tx, wanted, MAX_DOMAINS, ctx.now()));
    if (!domain) throw errors.tooManyDomains(MAX_DOMAINS);
    const event = { ...about(program, domain, actor), action: 'domain.added' as const };
    if (!isProven) {
      await insertAuditEvent(tx, { ...event, after: { status: domain.status } }, ctx.now());
      return domain;
    }
    return take(ctx, tx, domain, { ...event, after: { status: 'active' } });
  });
}

/** Activates the host once its record is seen, and takes it from the program that had it before. */
export async function verifyDomain(
  ctx: DomainsContext,
  program: Owner,
  domainId: number,
  actor: Actor,
): Promise<Domain> {
  const domain = await findDomain(ctx.db, program.id, domainId);
  if (!domain) throw errors.notFound();
  if (domain.status === 'active') return domain;
  const holderId = await findOtherHolder(ctx.db, domain);
  const seen = await seenRecords(ctx, domain, holderId);
  if (seen === 'none') throw errors.recordMissing(recordOf(ctx.domainSecret, domain));
  if (seen === 'both') throw errors.hostTaken(domain.host, recordOf(ctx.domainSecret, domain));
  return ctx.db.transaction(async (tx) => {
    await lockHost(tx, domain.host);
    await requireUnchangedHolder(ctx, tx, domain, holderId);
    return take(ctx, tx, domain, { ...about(program, domain, actor), action: 'domain.activated' });
  });
}

/** Gives the host to the program whose record was seen. The transaction has locked the host. */
async function take(ctx: Context, tx: Transaction, domain: Domain, event: AuditEvent): Promise<Domain> {
  const lost = await updateLost(tx, domain);
  const active = await updateActive(tx, domain.programId, domain.id);
  if (!active) {
    // Another request was faster: it is already active, or it is gone.
    const found = await findDomain(tx, domain.programId, domain.id);
    if (!found) throw errors.notFound();
    return found;
  }
  // Who has it now is nobody's business there.
  const losses = lost.map((was): AuditEvent => {
    const subject = { type: 'domain', id: was.id, name: was.host } as const;
    const { workspaceId, programId } = was;
    const changed = { before: { status: 'active' }, after: { status: 'pending' } };
    return { workspaceId, programId, actor: jobActor('link-hosts'), action: 'domain.lost', subject, ...changed };
  });
  await insertAuditEvents(tx, [event, ...losses], ctx.now());
  return active;
}

/** Removes a host of the program. Links on it stop working. */
export function removeDomain(ctx: Context, program: Owner, domainId: number, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const gone = await deleteDomain(tx, program.id, domainId);
    if (!gone) throw errors.notFound();
    const event = { ...about(program, gone, actor), action: 'domain.deleted' as const };
    await insertAuditEvent(tx, { ...event, before: { status: gone.status } }, ctx.now());
  });
}

/** Refuses to take the host from anybody but the program whose record was looked for. The transaction has locked the host. */
async function requireUnchangedHolder(
  ctx: DomainsContext,
  tx: Transaction,
  wanted: NewDomain,
  holderId: number | null,
): Promise<void> {
  const current = await findOtherHolder(tx, wanted);
  if (current !== null && current !== holderId) throw errors.hostTaken(wanted.host, recordOf(ctx.domainSecret, wanted));
}

/**
 * Whether the record of the program is there, and that of the program that has the host. A record that was left behind must not be
 * enough to take a host back, so with both of them it stays where it is.
 */
async function seenRecords(
  ctx: DomainsContext,
  { programId, host }: NewDomain,
  holderId: number | null,
): Promise<'none' | 'own' | 'both'> {
  const { name, value } = recordOf(ctx.domainSecret, { programId, host });
  const found = (await ctx.lookUpTxt(name)).map((text) => text.trim());
  if (!found.includes(value)) return 'none';
  const isKept = holderId !== null && found.includes(recordOf(ctx.domainSecret, { programId: holderId, host }).value);
  return isKept ? 'both' : 'own';
}

function about({ id, workspaceId }: Owner, domain: Domain, actor: Actor): Omit<AuditEvent, 'action'> {
  return { workspaceId, programId: id, actor, subject: { type: 'domain', id: domain.id, name: domain.host } };
}
