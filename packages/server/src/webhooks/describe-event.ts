import type { FeedEvent, FeedEventType, WebhookFormat } from '@svc/contract';
import { money } from '../mail/wording.ts';

/** What an owner sends to try an endpoint. Nothing has happened. */
export type TestEvent = Omit<FeedEvent, 'type' | 'sequence'> & { type: 'webhook.test'; sequence: null };

/** Where a sentence is read: on a page, or in a channel that gives some characters a meaning. */
type Channel = 'page' | Exclude<WebhookFormat, 'json'>;
type Row = Record<string, unknown>;
type Data = Record<string, Row | undefined>;
/** What sentences are made of. Every text that people chose is neutralized for the channel. */
type Words = {
  data: Data;
  name: (text: unknown) => string;
  /** Who the partner of a row is, as the start of a sentence. */
  partner: (row: Row | undefined) => string;
  /** `through Jane`, or nothing without a partner. */
  with: (preposition: string, row: Row | undefined) => string;
};

/**
 * One sentence or two: what happened, with amounts. A page names partners. A channel is at a third party, and names are personal data,
 * so partners are known by their numbers there.
 */
export function describeEvent(channel: Channel, { type, data }: FeedEvent | TestEvent): string {
  if (type === 'webhook.test') return 'This is a test. Nothing has happened.';
  const name = (text: unknown) => harmless(channel, String(text ?? ''));
  const isPage = channel === 'page';
  const words: Words = {
    data: data as Data,
    name,
    partner: (row) => (isPage ? name(row?.partner_name) : `Partner ${row?.partner_id}`),
    with: (preposition, row) => {
      if (!row?.[isPage ? 'partner_name' : 'partner_id']) return '';
      return ` ${preposition} ${isPage ? name(row.partner_name) : `partner ${row.partner_id}`}`;
    },
  };
  const sentence = SENTENCES[type](words);
  const reason = words.data.decision?.sentence;
  return reason ? `${sentence} ${reason}` : sentence;
}

const amount = (row: Row | undefined, field: string, currency: unknown = row?.currency) =>
  money({ amountCents: Number(row?.[field] ?? 0), currency: String(currency ?? 'USD') });

const commission = ({ data, with: by }: Words) =>
  `The commission of ${amount(data.commission, 'commission_cents')}${by('for', data.commission)}`;

const payout = ({ data, with: by }: Words) =>
  `The payout of ${amount(data.payout, 'amount_cents')}${by('to', data.payout)}`;

const SENTENCES: Record<FeedEventType, (words: Words) => string> = {
  'lead.created': ({ data, with: by }) => `New signup${by('through', data.customer)}.`,
  'lead.confirmed': ({ data, with: by }) => `A signup${by('through', data.customer)} was confirmed.`,
  'sale.created': ({ data, with: by }) =>
    `New sale of ${amount(data.sale, 'amount_cents')}${by('through', data.sale)}.`,
  'sale.refunded': describeRefund,
  'commission.created': describeCommission,
  'commission.approved': (words) => `${commission(words)} was approved.`,
  'commission.rejected': (words) => `${commission(words)} was rejected.`,
  'commission.reversed': (words) => {
    const left = leftOf(words.data.commission);
    return left ? `${commission(words)} was reduced to ${left}.` : `${commission(words)} was reversed.`;
  },
  'commission.restored': (words) => {
    const left = leftOf(words.data.commission);
    return left ? `${commission(words)} was raised to ${left} again.` : `${commission(words)} was restored.`;
  },
  'commission.paid': (words) => `${commission(words)} was paid out.`,
  'payout.created': (words) => `${payout(words)} was created.`,
  'payout.sent': (words) => `${payout(words)} was sent.`,
  'payout.paid': (words) => `${payout(words)} was marked as paid.`,
  // The reason is a person's own words, and can be about a bank account.
  'payout.failed': (words) => `${payout(words)} failed.`,
  'payout.returned': (words) => `${payout(words)} came back.`,
  'payout.cancelled': (words) => `${payout(words)} was cancelled.`,
  'partner.applied': ({ data, partner }) => `${partner(memberOf(data))} applied to join the program.`,
  'partner.joined': ({ data, partner }) => `${partner(memberOf(data))} joined the program.`,
  'partner.changed': describePartner,
  'link.created': ({ data, name, with: by }) => `New link${by('for', data.link)}: ${name(data.link?.short_link)}.`,
  'link.changed': describeLink,
  'customer.assigned': ({ data, with: by }) => `A customer was assigned${by('to', data.customer)}.`,
  'alert.opened': ({ data, name }) => `Alert: ${name(data.alert?.message)}`,
  'alert.closed': ({ data, name }) => `Resolved: ${name(data.alert?.message)}`,
  'credit.granted': ({ data }) => `A customer was granted a credit of ${amount(data.credit, 'amount_cents')}.`,
  'terms.changed': ({ data }) =>
    `The commission rules of the program have changed. This is version ${data.terms?.version}.`,
};

function describeRefund({ data: { sale, refund }, with: by }: Words): string {
  const whole = `a sale of ${amount(sale, 'amount_cents')}${by('through', sale)}`;
  const cents = Number(refund?.amount_cents ?? 0);
  const moved = money({ amountCents: Math.abs(cents), currency: String(sale?.currency ?? 'USD') });
  return cents < 0 ? `A refund of ${moved} on ${whole} was taken back.` : `${moved} of ${whole} was refunded.`;
}

function describeCommission({ data: { commission: row }, partner, with: by }: Words): string {
  const earned = amount(row, 'commission_cents');
  if (row?.kind === 'bonus') return `${partner(row)} was given a bonus of ${earned}.`;
  if (row?.kind === 'adjustment') return `The balance${by('of', row)} was adjusted by ${earned}.`;
  return `${partner(row)} earned a commission of ${earned}.`;
}

/** What is left of a commission that was reduced in part; null if all or nothing is. */
function leftOf(row: Row | undefined): string | null {
  const [all, deducted] = [Number(row?.commission_cents ?? 0), Number(row?.deducted_cents ?? 0)];
  return deducted === 0 || deducted === all ? null : amount({ ...row, left: all - deducted }, 'left');
}

const STANDING: Record<string, string> = {
  active: 'is active again',
  blocked: 'was blocked',
  removed: 'was removed from the program',
};

/** The partner whom an event is about, as other rows refer to them. */
const memberOf = ({ partner }: Data): Row => ({ partner_id: partner?.id, partner_name: partner?.name });

function describePartner({ data, name, partner, with: by }: Words): string {
  const { status, group_name: group } = data.partner ?? {};
  const { previous } = data;
  if (previous?.status === 'applied' && status === 'removed') {
    return `The application${by('of', memberOf(data))} was declined.`;
  }
  const standing = previous?.status !== undefined && STANDING[String(status)];
  // Events of earlier releases can be about a name only.
  const moved = previous?.group_id === undefined ? 'was changed' : `was moved to the group ${name(group)}`;
  return `${partner(memberOf(data))} ${standing || moved}.`;
}

function describeLink({ data: { link, previous }, name, with: by }: Words): string {
  const which = `The link ${name(link?.short_link)}${by('of', link)}`;
  if (link?.deleted_at) return `${which} was deleted.`;
  if (previous?.active === undefined) return `${which} was changed.`;
  return `${which} was ${link?.active ? 'enabled' : 'disabled'}.`;
}

const LONGEST_NAME = 100;
const INVISIBLE = '\u200b';

/** A text that people chose, so that it can neither format a message, nor call people, nor become a link. */
function harmless(channel: Channel, text: string): string {
  const line = [...text.replace(/[\p{C}\s]+/gu, ' ').trim()].slice(0, LONGEST_NAME).join('');
  if (channel === 'page') return line;
  const inert = line.replaceAll('://', `:${INVISIBLE}//`).replaceAll('@', `@${INVISIBLE}`);
  if (channel === 'discord') return inert.replace(/[\\*_~`|>#[\]()<:-]/g, '\\$&');
  const escaped = inert.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(/[*_~`]/g, `${INVISIBLE}$&`);
}
