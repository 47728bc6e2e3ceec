import { ATTRIBUTIONS } from '@svc/contract';
import type { Data } from '../../api/client.ts';
import type { DetailRow } from '../layout/details.tsx';

type Membership = Data<'manageMe'>['partner_of'][number];
type Offer = Pick<Membership, 'earnings' | 'attribution' | 'cookie_window_days' | 'hold_days' | 'domain'>;

/** What a program pays, as labels with their values. */
export function offerRows(offer: Offer): DetailRow[] {
  const { hold_days: holdDays } = offer;
  return [
    ['You earn', earningsOf(offer)],
    ['Who is credited', ATTRIBUTIONS[offer.attribution].note],
    ['Clicks count for', daysOf(offer.cookie_window_days)],
    ['Approved', holdDays === 0 ? 'right after the sale' : `${daysOf(holdDays)} after the sale`],
    ['Website', offer.domain],
  ];
}

/** What a partner earns, as the service says it everywhere. */
export function earningsOf({ earnings }: Pick<Offer, 'earnings'>): string {
  return earnings.map((sentence) => `${sentence}.`).join(' ');
}

const daysOf = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`;
