import type { FeedEvent } from '@svc/contract';
import { money as moneyOf } from '../mail/wording.ts';

type Data = Record<string, Record<string, unknown> | undefined>;

const money = (row: Record<string, unknown> | undefined, field: string) =>
  moneyOf({ amountCents: Number(row?.[field] ?? 0), currency: String(row?.currency ?? 'USD') });

/** One sentence for a channel: what happened, with amounts, and nobody's personal data but the partner's name. */
export function describeEvent({ type, data }: FeedEvent): string {
  const { sale, commission, payout, partner, link, credit, refund, terms, alert } = data as Data;
  const by = (row: Record<string, unknown> | undefined) => (row?.partner_name ? ` for ${row.partner_name}` : '');
  const sentence = (data as Data).decision?.sentence;
  const because = sentence ? ` ${sentence}` : '';
  switch (type) {
    case 'lead.created':
      return `New signup.${because}`;
    case 'lead.confirmed':
      return `Signup confirmed.${because}`;
    case 'sale.created':
      return `New sale of ${money(sale, 'amount_cents')}${by(sale)}.${because}`;
    case 'sale.refunded': {
      const cents = Number(refund?.amount_cents ?? 0);
      const moved = moneyOf({ amountCents: Math.abs(cents), currency: String(sale?.currency ?? 'USD') });
      const what = cents < 0 ? 'restored to' : 'refunded of';
      return `${moved} ${what} a sale of ${money(sale, 'amount_cents')}${by(sale)}.${because}`;
    }
    case 'commission.created':
      return `New commission of ${money(commission, 'commission_cents')}${by(commission)}.${because}`;
    case 'commission.approved':
    case 'commission.rejected':
    case 'commission.reversed':
    case 'commission.restored':
    case 'commission.paid':
      return `Commission of ${money(commission, 'commission_cents')}${by(commission)} was ${type.slice(11)}.${because}`;
    case 'payout.created':
    case 'payout.paid':
    case 'payout.cancelled':
      return `Payout of ${money(payout, 'amount_cents')}${by(payout)} was ${type === 'payout.paid' ? 'marked as paid' : type.slice(7)}.`;
    case 'payout.failed':
      return `Payout of ${money(payout, 'amount_cents')}${by(payout)} failed: ${payout?.failure_reason ?? ''}`;
    case 'partner.applied':
      return `${partner?.name} applied to join the program.`;
    case 'partner.joined':
      return `${partner?.name} joined the program.`;
    case 'partner.changed':
      return `${partner?.name} is now ${partner?.status} in the group ${partner?.group_name}.`;
    case 'link.created':
      return `New link ${link?.short_link}${by(link)}.`;
    case 'link.changed':
      return `Link ${link?.short_link}${by(link)} was changed.`;
    case 'customer.assigned':
      return `A customer was assigned to another partner.${because}`;
    case 'credit.granted':
      return `A customer was granted a credit of ${money(credit, 'amount_cents')}.`;
    case 'alert.opened':
      return `Alert: ${alert?.message}`;
    case 'alert.closed':
      return `No longer the case: ${alert?.message}`;
    case 'terms.changed':
      return `New terms: version ${terms?.version}.`;
  }
}
