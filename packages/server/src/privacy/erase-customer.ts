import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { eraseLateVisits } from '../clicks/erased-click-store.ts';
import { listIdentities, listIdentitiesForUpdate } from '../customers/erased-customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { eraseFromAnswers } from './erase-answers.ts';
import { eraseTraces } from './erase-traces.ts';
import { type Erasure, insertErasure } from './erasure-store.ts';
import { identifyPerson, type Person } from './identify-person.ts';
import type { PrivacyContext, ProgramOfPerson } from './privacy-context.ts';
import { type FoundEvents, readEventsAbout } from './read-event-contents.ts';
import { redactText } from './redact.ts';

/**
 * Removes what identifies a customer, everywhere, and returns when. What they paid, and what partners earned with it, stays.
 * Null when the program has no such customer. Erasing someone twice changes nothing.
 */
export async function eraseCustomer(
  ctx: PrivacyContext,
  program: ProgramOfPerson,
  customerId: number,
  { actor, reason }: { actor: Actor; reason?: string | undefined },
): Promise<Date | null> {
  const erased = await eraseOnce(ctx, program, customerId, {
    async note(tx, person) {
      const event = {
        workspaceId: program.workspaceId,
        programId: program.id,
        actor,
        action: 'customer.erased',
        subject: { type: 'customer', id: customerId },
        after: reason ? { reason: redactText(reason, person) } : {},
      } as const;
      await insertAuditEvent(tx, event, ctx.now());
    },
  });
  return erased?.at ?? null;
}

/** Repeats an erasure on a store from an older backup. False when it has no such customer, or has erased them. */
export async function repeatErasure(ctx: PrivacyContext, program: ProgramOfPerson, erasure: Erasure): Promise<boolean> {
  const { subjectCreatedAt, erasedAt } = erasure;
  const erased = await eraseOnce(ctx, program, Number(erasure.subjectId), {
    createdAt: subjectCreatedAt,
    at: erasedAt,
  });
  return erased?.isNew ?? false;
}

type ErasureOptions = {
  /** Only a customer that was created then. */
  createdAt?: Date;
  /** When they were erased, if that was earlier. */
  at?: Date;
  /** Called in the transaction that erases them. */
  note?: (tx: Queryable, person: Person) => Promise<void>;
};

type Erased = { at: Date; isNew: boolean; customerIds: number[] };

async function eraseOnce(
  ctx: PrivacyContext,
  program: ProgramOfPerson,
  customerId: number,
  options: ErasureOptions,
): Promise<Erased | null> {
  // Most of the work, done before anything is locked.
  const person = await identifyPerson(ctx.db, await listIdentities(ctx.db, program.id, customerId), ctx.emailSecret);
  const found = await readEventsAbout(ctx.db, ctx.encryption, program.id, person, { ids: [], lastId: 0 });
  const erased = await retryOnConflict(() =>
    ctx.db.transaction((tx) => eraseLocked(ctx, tx, program, customerId, { ...options, person, found })),
  );
  if (erased?.isNew) await eraseLateVisits(ctx.db, erased.customerIds);
  return erased;
}

async function eraseLocked(
  ctx: PrivacyContext,
  tx: Queryable,
  program: ProgramOfPerson,
  customerId: number,
  { createdAt, at = ctx.now(), note, ...prepared }: ErasureOptions & { person: Person; found: FoundEvents },
): Promise<Erased | null> {
  const identities = await listIdentitiesForUpdate(tx, program.id, customerId);
  const customer = identities.find(({ id }) => id === customerId);
  if (!customer || (createdAt && createdAt.getTime() !== customer.createdAt.getTime())) return null;
  if (customer.erasedAt) return { at: customer.erasedAt, isNew: false, customerIds: [] };
  const person = await identifyPerson(tx, identities, ctx.emailSecret);
  // More may have become known about the person in the meantime; then every event has to be read again.
  const known = isSame(person, prepared.person) ? prepared.found : { ids: [], lastId: 0 };
  const found = await readEventsAbout(tx, ctx.encryption, program.id, person, known);
  await eraseTraces(tx, program, person, found.ids, at);
  await eraseFromAnswers(tx, ctx.encryption, program.id, person);
  for (const erased of identities) {
    const subject = { subject: 'customer', programId: program.id, subjectId: String(erased.id) } as const;
    await insertErasure(tx, { ...subject, subjectCreatedAt: erased.createdAt, erasedAt: at });
  }
  await note?.(tx, person);
  return { at, isNew: true, customerIds: person.customerIds };
}

function isSame(one: Person, other: Person): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
