import { randomUUID } from 'node:crypto';
import { errors, type OpenedMail, TEST_MESSAGES_PER_DAY } from '@svc/contract';
import type { Context } from '../context.ts';
import { nameText, withoutLinks } from '../mail/header-text.ts';
import type { MailBody } from '../mail/layout.ts';
import { countMail, ofTests } from '../mail/mail-count-store.ts';
import type { MailFields } from '../mail/mail-kind.ts';
import { type MailContent, queueMail } from '../mail/queue-mail.ts';
import { TEMPLATES } from '../mail/templates.ts';
import { describeOffer } from '../partners/describe-offer.ts';
import type { Program } from '../programs/program.ts';
import { DAY_MS } from '../time.ts';
import { requireSender } from './send-message.ts';

/** A mail with an opening that nobody has saved yet. */
export type TriedOpening = { mail: OpenedMail; opening: string | null };

type TryContext = Context & { baseUrl: string };

/** What the mail says to a partner of nobody. Its button leads to the start page: an invitation would have to exist. */
async function contentOf(ctx: TryContext, program: Program, { mail, opening }: TriedOpening) {
  const earnings = await describeOffer(ctx.db, ctx, { program, partnerId: null });
  const own = { earnings, ...(opening && { opening }) };
  if (mail === 'welcome') return { kind: 'application_approved', fields: own } as const;
  const expiresAt = new Date(ctx.now().getTime() + 7 * DAY_MS).toISOString();
  const fields = { url: `${ctx.baseUrl}/app`, partnerName: 'Jane Partner', expiresAt, ...own };
  return { kind: 'partner_invitation', fields } as const;
}

/** The whole mail, as it would be sent. */
export async function previewMail(ctx: TryContext, program: Program, tried: TriedOpening): Promise<MailBody> {
  const opening = tried.opening && withoutLinks(tried.opening);
  const { kind, fields } = await contentOf(ctx, program, { ...tried, opening });
  const facts = {
    brand: `“${nameText(program.name)}”`,
    programId: program.id,
    page: (path: string) => ctx.baseUrl + path,
  };
  return kind === 'partner_invitation'
    ? TEMPLATES.partner_invitation.write(fields as MailFields['partner_invitation'], facts)
    : TEMPLATES.application_approved.write(fields, facts);
}

/** Mails it to the person who is writing it. Returns the address. */
export async function testMail(
  ctx: TryContext,
  program: Program,
  tried: TriedOpening,
  userId: string,
): Promise<string> {
  const { address } = await requireSender(ctx, userId);
  const content = (await contentOf(ctx, program, tried)) as MailContent;
  await ctx.db.transaction(async (tx) => {
    const since = new Date(Math.floor(ctx.now().getTime() / DAY_MS) * DAY_MS);
    const of = { of: ofTests(address), kind: 'partner_message', since } as const;
    const mail = { ...content, cause: `test ${randomUUID()}`, to: { userId }, programId: program.id, sentBy: userId };
    const isQueued = (await countMail(tx, of, TEST_MESSAGES_PER_DAY)) && (await queueMail(tx, ctx, mail as never));
    if (!isQueued) throw errors.tooManyTestMessages(TEST_MESSAGES_PER_DAY);
  });
  return address;
}
