import type { Data } from '../../api/client.ts';
import { Details } from '../../ui/layout/details.tsx';
import { offerRows } from '../../ui/records/offer-rows.ts';

export type Offer = Data<'manageLookUpInvitation'>['offers'][number];

/** What a partner earns, for each program that is offered. */
export function Offers({ offers }: { offers: Offer[] }) {
  return (
    <div className="space-y-5">
      {offers.map((offer) => (
        <section key={offer.program_id} aria-label={`What you earn with ${offer.name}`}>
          {offers.length > 1 && <h2 className="mb-2 font-semibold">{offer.name}</h2>}
          <Details rows={offerRows(offer)} />
        </section>
      ))}
    </div>
  );
}
