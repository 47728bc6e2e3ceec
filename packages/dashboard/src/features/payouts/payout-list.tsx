import { Link } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import { type Call, hrefOf, type Row } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { usePartnerChoices } from '../../api/program.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { brandPath, useListFilters, useProgramId } from '../../ui/layout/urls.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { EmptyList } from '../../ui/lists/empty.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Money } from '../../ui/records/money.tsx';
import { Time } from '../../ui/records/time.tsx';
import { CancelPayout, MarkPaid } from './settle-payout.tsx';

export type Payout = Row<'managePayouts'>;
type Filters = NonNullable<Call<'manageExportPayouts'>['query']>;

const STATUSES = [
  ['open', 'Open'],
  ['paid', 'Paid'],
  ['cancelled', 'Cancelled'],
] as const;

export function PayoutList() {
  const programId = useProgramId();
  const { filters: asking, cursor, isFiltered } = useListFilters('status', 'partner_id');
  const [asked, setAsked] = useState<{ payout: Payout; about: 'paid' | 'cancel' } | null>(null);
  const params = { program_id: programId };
  const filters = asking as Filters;
  const payouts = useRead('managePayouts', { params, query: { ...filters, cursor } });
  const close = () => setAsked(null);
  return (
    <>
      <List
        label="Payouts"
        read={payouts}
        keyOf={({ id }) => id}
        tools={
          <>
            <FilterSelect name="status" label="All states" choices={STATUSES} />
            <FilterSelect name="partner_id" label="All partners" choices={usePartnerChoices(programId)} />
            <span className="ml-auto">
              <CsvLink href={hrefOf('manageExportPayouts', { params, query: filters })} />
            </span>
          </>
        }
        columns={[
          {
            title: 'Payout',
            show: ({ id, partner_name: name, payout_details: details }) => (
              <>
                <Link to={brandPath(programId, `payouts/${id}`)} className="font-medium hover:underline">
                  {name}
                </Link>
                <div className="max-w-64 truncate text-[0.8125rem] text-quiet">{details ?? `Payout ${id}`}</div>
              </>
            ),
          },
          {
            title: 'State',
            show: (payout) => (
              <>
                <StateBadge state={payout.status} />
                {payout.reference && <div className="mt-1 text-xs text-quiet">{payout.reference}</div>}
              </>
            ),
          },
          {
            title: 'Amount',
            isNumber: true,
            show: (payout) => <Money cents={payout.amount_cents} currency={payout.currency} />,
          },
          { title: 'Made', isNumber: true, isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            isNumber: true,
            show: (payout) =>
              payout.status === 'open' && (
                <div className="flex justify-end gap-1">
                  <Button
                    size="small"
                    aria-label={`Mark as paid: ${payout.partner_name}`}
                    onClick={() => setAsked({ payout, about: 'paid' })}
                  >
                    Mark as paid
                  </Button>
                  <Button
                    size="small"
                    look="quiet"
                    aria-label={`Cancel: ${payout.partner_name}`}
                    onClick={() => setAsked({ payout, about: 'cancel' })}
                  >
                    Cancel
                  </Button>
                </div>
              ),
          },
        ]}
        empty={
          <EmptyList icon={HandCoins} what={['payout', 'payouts']} isFiltered={isFiltered}>
            Make the first one under “Ready to pay”, as soon as something is payable.
          </EmptyList>
        }
      />
      {asked?.about === 'paid' && <MarkPaid programId={programId} payout={asked.payout} onClose={close} />}
      {asked?.about === 'cancel' && <CancelPayout programId={programId} payout={asked.payout} onClose={close} />}
    </>
  );
}
