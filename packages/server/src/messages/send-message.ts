import { randomUUID } from 'node:crypto';
import {
  errors,
  MESSAGES_PER_ADDRESS,
  MESSAGES_PER_DAY,
  type MessageOutcome,
  TEST_MESSAGES_PER_DAY,
} from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable, Transaction } from '../db/db.ts';
import { countMail, ofAddress, ofTests } from '../mail/mail-count-store.ts';
import { queueMailOrSayWhyNot } from '../mail/queue-mail.ts';
import { findAddress } from '../mail/recipient-store.ts';
import { linkUrl } from '../partners/links/link.ts';
import type { Program } from '../programs/program.ts';
import { findProgramForUpdate } from '../programs/program-store.ts';
import { DAY_MS } from '../time.ts';
import {
  type Addressee,
  findMessage,
  insertMessage,
  insertRecipients,
  listAddressees,
  type NewMessage,
} from './message-store.ts';

export type MessageTexts = Pick<NewMessage, 'subject' | 'text'>;

/** The message, and one of those who get it: what a bulk action keeps of its rows. */
export type MessageItem = { messageId: number; partnerId: number };

const KIND = 'partner_message';
const dayOf = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);

/** Refuses whoever may write to nobody: where no mail is sent, and without an address that its owner has proven. */
export async function requireSender(ctx: Context, userId: string): Promise<{ address: string }> {
  if (!ctx.mail) throw errors.mailOff();
  const sender = await findAddress(ctx.db, { userId });
  if (!sender?.isProven) throw errors.addressUnproven();
  return sender;
}

/** Stores a message as part of the transaction that starts to send it, and returns what is left to do. */
export async function storeMessage(
  tx: Transaction,
  ctx: Context,
  program: Pick<Program, 'id'>,
  { partnerIds, ...message }: MessageTexts & { sentBy: string; partnerIds: number[] },
): Promise<MessageItem[]> {
  if (!(await findProgramForUpdate(tx, program.id))) throw errors.notFound();
  const now = ctx.now();
  const limit = { since: dayOf(now), max: MESSAGES_PER_DAY, now };
  const id = await insertMessage(tx, program.id, { ...message, total: partnerIds.length }, limit);
  if (id === null) throw errors.tooManyMessages(MESSAGES_PER_DAY);
  return partnerIds.map((partnerId) => ({ messageId: id, partnerId }));
}

type Sending = { program: Pick<Program, 'id' | 'workspaceId'>; sentBy: string | null };

/** Queues the message for the partners of a slice, keeps what became of each, and returns that in their order. */
export async function sendToPartners(
  tx: Transaction,
  ctx: Context,
  { program, sentBy }: Sending,
  items: MessageItem[],
): Promise<MessageOutcome[]> {
  const messageId = items[0]?.messageId ?? 0;
  const message = await findMessage(tx, program.id, messageId);
  if (!message) return items.map(() => 'not_found');
  const addressees = await listAddressees(
    tx,
    program.id,
    items.map(({ partnerId }) => partnerId),
  );
  const byId = new Map(addressees.map((addressee) => [addressee.partnerId, addressee]));
  const outcomes: { partnerId: number; outcome: MessageOutcome }[] = [];
  for (const { partnerId } of items) {
    const to = byId.get(partnerId);
    const outcome = to ? await sendToPartner(tx, ctx, { program, sentBy }, { ...message, messageId, to }) : 'not_found';
    outcomes.push({ partnerId, outcome });
  }
  await insertRecipients(tx, messageId, outcomes);
  return outcomes.map(({ outcome }) => outcome);
}

async function sendToPartner(
  tx: Queryable,
  ctx: Context,
  { program, sentBy }: Sending,
  { subject, text, messageId, to }: MessageTexts & { messageId: number; to: Addressee },
): Promise<MessageOutcome> {
  const obstacle = obstacleFor(to, `${subject}\n${text}`);
  if (obstacle) return obstacle;
  const { userId, email, partnerId, name: partnerName, shortLink, destinationUrl, domain } = to;
  const link = shortLink && linkUrl({ domain, destination_url: destinationUrl, short_link: shortLink });
  const of = { of: ofAddress(email!), kind: KIND, since: dayOf(ctx.now()) } as const;
  if (!(await countMail(tx, of, MESSAGES_PER_ADDRESS))) return 'recipient_limit';
  const refusal = await queueMailOrSayWhyNot(tx, ctx, {
    kind: KIND,
    cause: `${messageId} ${partnerId}`,
    to: { userId: userId! },
    programId: program.id,
    workspaceId: program.workspaceId,
    sentBy,
    fields: { subject, text, partnerName, url: link ?? '' },
  });
  if (refusal === null) return 'queued';
  return refusal === 'sender_unconfirmed' ? refusal : 'queue_full';
}

/** Only partners who have joined, with a proven address, and want to hear from brands. */
function obstacleFor(to: Addressee, texts: string): MessageOutcome | null {
  if (to.status !== 'active') return to.status;
  if (to.userId === null || to.email === null) return 'no_account';
  if (!to.isProven) return 'unconfirmed';
  if (to.isUnwanted) return 'unsubscribed';
  return to.shortLink === null && texts.includes('{link}') ? 'no_link' : null;
}

/** Mails a message to the person who is writing it, with values of nobody. Returns the address. */
export async function testMessage(
  ctx: Context,
  program: Pick<Program, 'id' | 'workspaceId' | 'domain'>,
  { subject, text }: MessageTexts,
  userId: string,
): Promise<string> {
  const { address } = await requireSender(ctx, userId);
  const url = linkUrl({ domain: program.domain, destination_url: null, short_link: 'your-link' });
  await ctx.db.transaction(async (tx) => {
    const of = { of: ofTests(address), kind: KIND, since: dayOf(ctx.now()) } as const;
    if (!(await countMail(tx, of, TEST_MESSAGES_PER_DAY))) throw errors.tooManyTestMessages(TEST_MESSAGES_PER_DAY);
    const refusal = await queueMailOrSayWhyNot(tx, ctx, {
      kind: KIND,
      cause: `test ${randomUUID()}`,
      to: { userId },
      programId: program.id,
      sentBy: userId,
      fields: { subject, text, partnerName: 'Jane Partner', url },
    });
    if (refusal) throw errors.tooManyTestMessages(TEST_MESSAGES_PER_DAY);
  });
  return address;
}
