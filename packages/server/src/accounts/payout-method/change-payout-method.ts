import { randomUUID } from 'node:crypto';
import { type AuditAction, errors } from '@svc/contract';
import { type Actor, insertAuditEvents } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import type { Encryption } from '../../encryption.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import {
  isSameMethod,
  maskedDetails,
  type NewPayoutMethod,
  openDetails,
  sealDetails,
  usableFrom,
} from '../../payout-methods/payout-method.ts';
import {
  findMethod,
  hasHadMethod,
  insertMethod,
  listPayees,
  type StoredMethod,
  updateMethodEnded,
} from '../../payout-methods/payout-method-store.ts';
import { accountEvent } from '../revoke-access.ts';
import { findUserForUpdate, type User, updatePayoutTextTaken } from '../user-store.ts';

export type PayoutMethodContext = Context & { encryption: Encryption };

/** Sets where the account is paid. The same method again changes nothing, so its wait goes on. */
export function setPayoutMethod(
  ctx: PayoutMethodContext,
  userId: string,
  asked: NewPayoutMethod,
  actor: Actor,
): Promise<StoredMethod> {
  return ctx.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    if (!user) throw errors.userNotFound();
    await takePayoutText(tx, ctx, user, actor);
    return replaceMethod(tx, ctx, user, asked, actor);
  });
}

/** Removes where the account is paid, if it is known. */
export function removePayoutMethod(ctx: PayoutMethodContext, userId: string, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    if (!user) throw errors.userNotFound();
    await takePayoutText(tx, ctx, user, actor);
    const before = await findMethod(tx, userId);
    if (!before) return;
    await updateMethodEnded(tx, userId, ctx.now());
    await reportChange(tx, ctx, user, { before, after: null }, actor);
  });
}

/**
 * Turns what the user entered before methods existed into one. True if there was something. Until 0.4.0: nodes of an earlier
 * release still write such texts.
 */
export async function takePayoutText(
  tx: Queryable,
  ctx: PayoutMethodContext,
  user: User,
  actor: Actor,
): Promise<boolean> {
  const text = (await updatePayoutTextTaken(tx, user.id))?.trim();
  if (!text) return false;
  const method = {
    details: { kind: 'other', text },
    holderName: user.name,
    holderKind: 'person',
    country: null,
  } as const;
  // The first one is what brands have paid to all along.
  if (await hasHadMethod(tx, user.id)) await replaceMethod(tx, ctx, user, method, actor);
  else await insertMethod(tx, user.id, toStored(ctx, method, true), ctx.now());
  return true;
}

async function replaceMethod(
  tx: Queryable,
  ctx: PayoutMethodContext,
  user: User,
  asked: NewPayoutMethod,
  actor: Actor,
): Promise<StoredMethod> {
  const before = await findMethod(tx, user.id);
  if (before && isSameMethod(toEntered(ctx, before), asked)) return before;
  const isFirst = !(await hasHadMethod(tx, user.id));
  await updateMethodEnded(tx, user.id, ctx.now());
  await insertMethod(tx, user.id, toStored(ctx, asked, isFirst), ctx.now());
  const after = (await findMethod(tx, user.id))!;
  await reportChange(tx, ctx, user, { before, after }, actor);
  return after;
}

function toStored({ encryption, now }: PayoutMethodContext, { details, ...holder }: NewPayoutMethod, isFirst: boolean) {
  return {
    ...holder,
    kind: details.kind,
    detailsSealed: sealDetails(encryption, details),
    masked: maskedDetails(details),
    usableFrom: usableFrom(isFirst, now()),
  };
}

function toEntered({ encryption }: PayoutMethodContext, stored: StoredMethod): NewPayoutMethod {
  const { holderName, holderKind, country } = stored;
  return { details: openDetails(encryption, stored.detailsSealed), holderName, holderKind, country };
}

/** At least one of them is there. */
type Change = { before: StoredMethod | null; after: StoredMethod | null };

const shown = (method: StoredMethod | null) => ({ payout_method: method && `${method.kind} ${method.masked}` });

/** Tells the owner of the account, and the audit log of every workspace that pays them. */
async function reportChange(
  tx: Queryable,
  ctx: PayoutMethodContext,
  user: User,
  { before, after }: Change,
  actor: Actor,
): Promise<void> {
  const now = ctx.now();
  const what = after ? 'payout_method_changed' : 'payout_method_removed';
  const facts = {
    before: shown(before),
    after: { ...shown(after), ...(after && { usable_from: after.usableFrom.toISOString() }) },
  };
  const payees = await listPayees(tx, user.id);
  await insertAuditEvents(
    tx,
    [
      { ...(await accountEvent(tx, user, `account.${what}` satisfies AuditAction, actor)), ...facts },
      ...payees.map(({ partnerId, name, workspaceId }) => ({
        workspaceId,
        actor,
        action: `partner.${what}` as const,
        subject: { type: 'partner' as const, id: partnerId, name },
        ...facts,
      })),
    ],
    now,
  );
  const { kind, masked } = (after ?? before)!;
  const isWaiting = after !== null && after.usableFrom > now;
  await queueMail(tx, ctx, {
    kind: 'payout_method_changed',
    cause: randomUUID(),
    to: { userId: user.id },
    fields: {
      change: !after ? 'removed' : before ? 'changed' : 'added',
      kind,
      masked,
      usableFrom: isWaiting ? after.usableFrom.toISOString() : null,
      at: now.toISOString(),
    },
  });
}
