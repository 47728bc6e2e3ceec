import { COMMISSION_TYPES, COMMISSIONABLE_AMOUNTS, describeEarnings } from '@svc/contract';
import type { Data } from '../../api/client.ts';
import { Details } from '../../ui/layout/details.tsx';

export type Offer = Data<'manageLookUpInvitation'>['offers'][number];

/** What a partner earns, for each program that is offered. */
export function Offers({ offers }: { offers: Offer[] }) {
  return (
    <div className="space-y-5">
      {offers.map((offer) => (
        <section key={offer.program_id} aria-label={`What you earn with ${offer.name}`}>
          {offers.length > 1 && <h2 className="mb-2 font-semibold">{offer.name}</h2>}
          <Details
            rows={[
              ['You earn', earningsOf(offer)],
              ['Clicks count for', daysOf(offer.cookie_window_days)],
              [
                'Approved',
                offer.hold_days === 0 ? 'right after the sale' : `${daysOf(offer.hold_days)} after the sale`,
              ],
              ['Website', offer.domain],
            ]}
          />
        </section>
      ))}
    </div>
  );
}

function earningsOf(offer: Offer): string {
  const { commission_type: type, commission_base: base } = offer;
  const note = COMMISSION_TYPES[type].basis === 'percent' ? ` ${COMMISSIONABLE_AMOUNTS[base].note}` : '';
  return `${describeEarnings(offer)}.${note}`;
}

const daysOf = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`;
