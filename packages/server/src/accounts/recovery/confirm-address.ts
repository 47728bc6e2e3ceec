import { type AuditAction, errors, maskEmail } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { isUniqueViolation, type Queryable } from '../../db/db.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { DAY_MS, HOUR_MS } from '../../time.ts';
import { accountEvent } from '../revoke-access.ts';
import { hashSecretToken, newSecretToken } from '../secret-token.ts';
import { findUserByEmail, findUserForUpdate, type User, updateEmail, updateVerified } from '../user-store.ts';
import {
  type AddressLink,
  type AddressPurpose,
  countAddressLinks,
  findAddressLinkForUpdate,
  insertAddressLink,
  listLinksOfChange,
  updateLinksEnded,
  updateLinkUsed,
} from './address-link-store.ts';
import { deleteResetLinks } from './reset-link-store.ts';

/** Mails a link that proves the account's address. Links that were mailed before stop working. */
export async function mailVerification(ctx: Context, user: User, actor: Actor): Promise<void> {
  if (!ctx.mail) throw errors.mailOff();
  await ctx.db.transaction(async (tx) => {
    await requireFewLinks(tx, ctx, user.id);
    if (!(await mailVerificationIn(tx, ctx, user))) throw errors.rateLimited(HOUR_MS / 1000);
    await note(tx, ctx, user, actor, 'account.email_verification_requested');
  });
}

/** The same as part of a larger change; false when the address has had too many such mails. */
export async function mailVerificationIn(tx: Queryable, ctx: Context, user: { id: string; email: string }) {
  await updateLinksEnded(tx, user.id, ['verify'], ctx.now());
  return mailLink(tx, ctx, user.id, { purpose: 'verify', address: user.email, newAddress: null });
}

/**
 * Starts a change of the account's address. It has to be confirmed at the new address, and at the old one if that is proven:
 * nobody can confirm at an address that was mistyped. An address that has an account gets no mail, so the change never happens.
 * All answers are the same as for other addresses.
 */
export async function startAddressChange(
  ctx: Context,
  userId: string,
  newAddress: string,
  actor: Actor,
): Promise<void> {
  if (!ctx.mail) throw errors.mailOff();
  await ctx.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    if (!user) throw errors.userNotFound();
    if (user.email === newAddress) throw errors.addressUnchanged();
    await requireFewLinks(tx, ctx, userId);
    await updateLinksEnded(tx, userId, ['old', 'new'], ctx.now());
    if (user.emailVerified) await mailLink(tx, ctx, userId, { purpose: 'old', address: user.email, newAddress });
    const link = { purpose: 'new', address: newAddress, newAddress } as const;
    if (await findUserByEmail(tx, newAddress)) await createLink(tx, ctx, userId, link);
    else await mailLink(tx, ctx, userId, link);
    await note(tx, ctx, user, actor, 'account.email_change_requested');
  });
}

const MAX_LINKS_PER_HOUR = 10;

/** Anyone can sign up with an address of someone else, who should not get a mail for every click. */
async function requireFewLinks(tx: Queryable, { now }: Context, userId: string): Promise<void> {
  const since = new Date(now().getTime() - HOUR_MS);
  if ((await countAddressLinks(tx, userId, since)) >= MAX_LINKS_PER_HOUR) throw errors.rateLimited(HOUR_MS / 1000);
}

type NewLink = { purpose: AddressPurpose; address: string; newAddress: string | null };

async function createLink(tx: Queryable, ctx: Context, userId: string, link: NewLink) {
  const { token, hash } = newSecretToken('svc_mail_');
  const expiresAt = new Date(ctx.now().getTime() + DAY_MS);
  await insertAddressLink(tx, { ...link, userId, tokenHash: hash, expiresAt }, ctx.now());
  return { url: `${ctx.mail?.baseUrl}/app/confirm-email#${token}`, hash };
}

async function mailLink(tx: Queryable, ctx: Context, userId: string, link: NewLink): Promise<boolean> {
  const { url, hash } = await createLink(tx, ctx, userId, link);
  const mail = { cause: hash, to: { address: link.address } };
  if (link.purpose !== 'old') return queueMail(tx, ctx, { ...mail, kind: 'verify_address', fields: { url } });
  const fields = { url, newAddress: link.newAddress ?? '' };
  return queueMail(tx, ctx, { ...mail, kind: 'change_address', fields });
}

/** `waiting`: the other address has to confirm the change as well. */
export type ConfirmedAddress = 'verified' | 'waiting' | 'changed';

/**
 * Uses a mailed link. The account has to be signed in: otherwise the owner of an address could prove it for a stranger who
 * signed up with it.
 */
export function confirmAddress(ctx: Context, userId: string, token: string, actor: Actor): Promise<ConfirmedAddress> {
  const tokenHash = hashSecretToken(token);
  return ctx.db.transaction(async (tx) => {
    const link = await findAddressLinkForUpdate(tx, tokenHash);
    if (!link) throw errors.addressLinkGone();
    if (link.userId !== userId) throw errors.addressLinkForeign();
    if (link.usedAt) throw errors.addressLinkUsed();
    const user = await findUserForUpdate(tx, userId);
    if (link.expiresAt <= ctx.now() || !user || !isCurrent(link, user)) throw errors.addressLinkGone();
    await updateLinkUsed(tx, tokenHash, ctx.now());
    return link.newAddress === null
      ? verify(tx, ctx, user, actor)
      : confirmChange(tx, ctx, user, link.newAddress, actor);
  });
}

/** Whether the account still has the address that the link is about. */
function isCurrent({ purpose, address }: AddressLink, { email }: User): boolean {
  return purpose === 'new' || address === email;
}

async function verify(tx: Queryable, ctx: Context, user: User, actor: Actor): Promise<'verified'> {
  await updateVerified(tx, user.id, ctx.now());
  await note(tx, ctx, user, actor, 'account.email_verified');
  return 'verified';
}

async function confirmChange(
  tx: Queryable,
  ctx: Context,
  user: User,
  newAddress: string,
  actor: Actor,
): Promise<'waiting' | 'changed'> {
  if (!(await isConfirmedAtBoth(tx, ctx, user, newAddress))) {
    await note(tx, ctx, user, actor, 'account.email_change_confirmed');
    return 'waiting';
  }
  await updateEmail(tx, user.id, newAddress, ctx.now()).catch((error: unknown) => {
    throw isUniqueViolation(error) ? errors.addressTaken() : error;
  });
  // Links that were mailed to the old address stop working.
  await updateLinksEnded(tx, user.id, ['verify', 'old', 'new'], ctx.now());
  await deleteResetLinks(tx, user.id);
  await note(tx, ctx, user, actor, 'account.email_changed', { before: user.email, after: newAddress });
  return 'changed';
}

/** Whether the new address has confirmed the change, and the old one as well, unless it is unproven. */
async function isConfirmedAtBoth(tx: Queryable, ctx: Context, user: User, newAddress: string): Promise<boolean> {
  const links = await listLinksOfChange(tx, user.id, newAddress, ctx.now());
  const used = links.filter(({ usedAt }) => usedAt !== null).map(({ purpose }) => purpose);
  if (!user.emailVerified) return used.includes('new');
  // It may have been proven after the change was asked for.
  const isAsked = links.some(({ purpose }) => purpose === 'old');
  if (!isAsked) await mailLink(tx, ctx, user.id, { purpose: 'old', address: user.email, newAddress });
  return used.includes('new') && used.includes('old');
}

async function note(
  tx: Queryable,
  ctx: Context,
  user: Pick<User, 'id' | 'name'>,
  actor: Actor,
  action: AuditAction,
  changed: { before?: string; after?: string } = {},
): Promise<void> {
  const { before, after } = changed;
  const event = {
    ...(await accountEvent(tx, user, action, actor)),
    ...(before && { before: { email: maskEmail(before) } }),
    ...(after && { after: { email: maskEmail(after) } }),
  };
  await insertAuditEvent(tx, event, ctx.now());
}
