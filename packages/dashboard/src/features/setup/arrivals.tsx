import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError, Data, Reply } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { Money } from '../../ui/records/money.tsx';
import { Time } from '../../ui/records/time.tsx';
import { Arrival } from './arrival.tsx';

export type Setup = Data<'manageSetup'>;

const LIVE_MS = 3_000;

/** What has arrived from the site, fetched every few seconds while the page is visible. */
export function useSetup(programId: number): UseQueryResult<Reply<'manageSetup'>, ApiError> {
  return useApiQuery('manageSetup', { params: { program_id: programId } }, { refetchMs: LIVE_MS });
}

const testOf = (isTest: boolean) => (isTest ? 'Test' : 'Live');

export function ClickArrival({ click }: { click: Setup['click'] | undefined }) {
  return (
    <Arrival waitingFor="Waiting for a page of your site to report a click.">
      {click && (
        <>
          {testOf(click.is_test)} click received from {click.origin}, <Time at={click.at} isRelative />.
        </>
      )}
    </Arrival>
  );
}

export function LeadArrival({ lead }: { lead: Setup['lead'] | undefined }) {
  return (
    <Arrival waitingFor="Waiting for a signup." isIncomplete={lead?.referred === false}>
      {lead && (
        <>
          {testOf(lead.is_test)} signup received from {lead.source === 'page' ? 'a page' : 'your server'},{' '}
          <Time at={lead.at} isRelative />.
          {!lead.referred &&
            ' It came without a click, so no partner would be credited. Send the click ID from the cookie, and sign up in the window with the test link.'}
        </>
      )}
    </Arrival>
  );
}

export function SaleArrival({ sale }: { sale: Setup['sale'] | undefined }) {
  return (
    <Arrival waitingFor="Waiting for a test payment." isIncomplete={sale?.referred === false}>
      {sale && (
        <>
          {testOf(sale.is_test)} payment of <Money cents={sale.amount_cents} currency={sale.currency} /> received from{' '}
          {sale.source === 'processor' ? 'your payment processor' : 'your server'}, <Time at={sale.at} isRelative />.
          {!sale.referred && ' It could not be matched to a referred visitor. Pay as the user who signed up in step 3.'}
        </>
      )}
    </Arrival>
  );
}
