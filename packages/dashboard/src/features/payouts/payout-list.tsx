import { Link } from '@tanstack/react-router';
import { Download, HandCoins } from 'lucide-react';
import { useState } from 'react';
import { type Call, hrefOf, type Row } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { usePartnerChoices } from '../../api/program.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterSelect } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { brandPath, useFilters, useProgramId } from '../../ui/place.ts';
import { Time } from '../../ui/time.tsx';
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
  const [{ status, partner_id, cursor }] = useFilters();
  const [asked, setAsked] = useState<{ payout: Payout; about: 'paid' | 'cancel' } | null>(null);
  const params = { program_id: programId };
  const filters: Filters = { status: status as Filters['status'], partner_id };
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
            <a
              href={hrefOf('manageExportPayouts', { params, query: filters })}
              download
              className={`${buttonClass()} ml-auto`}
            >
              <Download size={16} aria-hidden /> CSV
            </a>
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
          <Empty icon={HandCoins} title={status || partner_id ? 'No payout fits' : 'No payouts yet'}>
            {status || partner_id
              ? 'Leave the filters out to see all of them.'
              : 'Make the first one under “Ready to pay”, as soon as something is payable.'}
          </Empty>
        }
      />
      {asked?.about === 'paid' && <MarkPaid programId={programId} payout={asked.payout} onClose={close} />}
      {asked?.about === 'cancel' && <CancelPayout programId={programId} payout={asked.payout} onClose={close} />}
    </>
  );
}
