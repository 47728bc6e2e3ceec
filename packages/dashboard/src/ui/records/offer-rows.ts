import { ATTRIBUTIONS, COMMISSION_TYPES, COMMISSIONABLE_AMOUNTS, describeEarnings } from '@svc/contract';
import type { Data } from '../../api/client.ts';
import type { DetailRow } from '../layout/details.tsx';

type Membership = Data<'manageMe'>['partner_of'][number];
type Earnings = Parameters<typeof describeEarnings>[0] & Pick<Membership, 'commission_base'>;
type Offer = Earnings & Pick<Membership, 'attribution' | 'cookie_window_days' | 'hold_days' | 'domain'>;

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

/** What a partner earns, and what a percentage is computed from. */
export function earningsOf(offer: Earnings): string {
  const { commission_type: type, commission_base: base } = offer;
  const note = COMMISSION_TYPES[type].basis === 'percent' ? ` ${COMMISSIONABLE_AMOUNTS[base].note}` : '';
  return `${describeEarnings(offer)}.${note}`;
}

const daysOf = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`;
