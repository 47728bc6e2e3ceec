import { isOptionalMail, type MailKind } from '@svc/contract';
import { nameText, withoutLinks } from './header-text.ts';
import { type Frame, type MailBody, renderMail } from './layout.ts';
import type { Brand } from './mail-store.ts';
import type { Message } from './open-transport.ts';
import { signUnsubscription } from './signed-link.ts';
import { TEMPLATES, type TemplateFacts } from './templates.ts';

/** Who sends mails. */
export type Sender = {
  /** The name of the service. Without one, the service is called like its site. */
  from: { name: string; address: string };
  baseUrl: string;
  linkSecret: string;
};

export type Letter = {
  kind: MailKind;
  userId: string | null;
  address: string;
  programId: number | null;
  messageKey: string;
  fields: unknown;
  brand: Brand | null;
  resetUrl?: string | undefined;
};

const OWN_COLOR = '#2447d8';

/** Writes the message. The same letter always gets the same Message-ID. */
export function writeMessage(sender: Sender, letter: Letter): Message {
  const { from, baseUrl } = sender;
  const service = from.name === from.address ? new URL(baseUrl).hostname : from.name;
  const brand = letter.brand && nameText(letter.brand.name);
  // Nobody should take what a brand calls itself for the words of the service.
  const name = brand === null ? service : `${brand} via ${service}`;
  const facts: TemplateFacts = {
    brand: brand === null ? service : `“${brand}”`,
    programId: letter.programId,
    page: (path) => baseUrl + path,
    ...(letter.resetUrl && { resetUrl: letter.resetUrl }),
  };
  const token = unsubscribeToken(sender, letter);
  const frame: Frame = {
    brandName: name,
    color: letter.brand?.color ?? OWN_COLOR,
    reason: TEMPLATES[letter.kind].reason(facts),
    unsubscribeUrl: token && `${baseUrl}/app/unsubscribe#${token}`,
  };
  return {
    ...renderMail(bodyOf(letter, facts), frame),
    from: { name, address: from.address },
    to: letter.address,
    messageId: `<${letter.messageKey}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(token && {
        'List-Unsubscribe': `<${baseUrl}/api/v1/manage/mail/unsubscribe?token=${token}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** The compiler cannot tell that the fields are those of the kind. They come from the same row of the queue. */
function bodyOf({ kind, fields }: Letter, facts: TemplateFacts): MailBody {
  const write = TEMPLATES[kind].write as (fields: unknown, facts: TemplateFacts) => MailBody;
  return write(withoutLinksOfOthers(fields), facts);
}

/** Our own links, and where a brand's own endpoint is. */
const ADDRESSES = new Set(['url', 'host']);

/** The fields, without the links that people typed into any of them. */
function withoutLinksOfOthers(value: unknown): unknown {
  if (typeof value === 'string') return withoutLinks(value);
  if (Array.isArray(value)) return value.map(withoutLinksOfOthers);
  if (typeof value !== 'object' || value === null) return value;
  const cleaned = Object.entries(value).map(([name, each]) => [
    name,
    ADDRESSES.has(name) ? each : withoutLinksOfOthers(each),
  ]);
  return Object.fromEntries(cleaned);
}

function unsubscribeToken({ linkSecret }: Sender, { kind, userId }: Letter): string | null {
  return userId !== null && isOptionalMail(kind) ? signUnsubscription(linkSecret, { userId, kind }) : null;
}
