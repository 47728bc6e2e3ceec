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
  insertDomain,
  isHeldByOther,
  lockHost,
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
 * program is seen, and with the record it moves here.
 */
export async function addDomain(ctx: DomainsContext, program: Owner, host: string, actor: Actor): Promise<Domain> {
  if (host === new URL(ctx.baseUrl).hostname) throw errors.hostOfService();
  if (isHostOfSite(program, host)) throw errors.hostOfSite(host);
  const wanted = { programId: program.id, host };
  const isProven = (await isHeldByOther(ctx.db, wanted)) && (await hasRecord(ctx, wanted));
  return ctx.db.transaction(async (tx) => {
    if (!(await findProgramForUpdate(tx, program.id))) throw errors.notFound();
    await lockHost(tx, host);
    const known = await findDomainByHost(tx, program.id, host);
    if (known && (known.status === 'active' || !isProven)) return known;
    if (!isProven && (await isHeldByOther(tx, wanted)))
      throw errors.hostTaken(host, recordOf(ctx.domainSecret, wanted));
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
  if (!(await hasRecord(ctx, domain))) throw errors.recordMissing(recordOf(ctx.domainSecret, domain));
  return ctx.db.transaction(async (tx) => {
    await lockHost(tx, domain.host);
    return take(ctx, tx, domain, { ...about(program, domain, actor), action: 'domain.activated' });
  });
}

/** Gives the host to the program whose record was seen. The transaction has locked the host. */
async function take(ctx: Context, tx: Transaction, domain: Domain, event: AuditEvent): Promise<Domain> {
  const lost = await updateLost(tx, domain);
  const active = await updateActive(tx, domain.programId, domain.id);
  if (!active) {
    // Somebody else was faster: it is active already, or it is gone.
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

async function hasRecord(ctx: DomainsContext, domain: Pick<Domain, 'programId' | 'host'>): Promise<boolean> {
  const { name, value } = recordOf(ctx.domainSecret, domain);
  return (await ctx.lookUpTxt(name)).some((found) => found.trim() === value);
}

function about({ id, workspaceId }: Owner, domain: Domain, actor: Actor): Omit<AuditEvent, 'action'> {
  return { workspaceId, programId: id, actor, subject: { type: 'domain', id: domain.id, name: domain.host } };
}
