import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Data } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { formatMoney } from '../../rules/money.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { Card, PageHead, TitledCard } from '../../ui/layout/card.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { useFilters, useProgramId } from '../../ui/layout/urls.ts';
import { Pager } from '../../ui/lists/pager.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { Money } from '../../ui/records/money.tsx';
import { Time } from '../../ui/records/time.tsx';

export type WholePayout = Data<'managePayout'>;

/** A payout and the commissions it is made of. */
export function PayoutDetails({ actions }: { actions?: (payout: WholePayout) => ReactNode }) {
  const programId = useProgramId();
  const { payoutId = '' } = useParams({ strict: false }) as { payoutId?: string };
  const [{ cursor }] = useFilters();
  const payout = useRead('managePayout', { params: { program_id: programId, payout_id: payoutId }, query: { cursor } });
  return (
    <Loaded read={payout} lines={8}>
      {({ data, meta }) => (
        <>
          <PageHead title={`${formatMoney(data.amount_cents, data.currency)} for ${data.partner_name}`}>
            {actions?.(data)}
          </PageHead>
          <div className="grid items-start gap-6 lg:grid-cols-[5fr_3fr]">
            <Card>
              <Table
                label="Commissions of the payout"
                rows={data.lines}
                keyOf={({ commission_id: id }) => id}
                columns={[
                  {
                    title: 'Transaction',
                    show: ({ transaction_id: id }) => (
                      <span className="font-mono text-[0.8125rem] break-all">{id}</span>
                    ),
                  },
                  { title: 'Earned', show: ({ created_at: at }) => <Time at={at} /> },
                  {
                    title: 'Amount',
                    isNumber: true,
                    show: ({ amount_cents: cents }) => <Money cents={cents} currency={data.currency} />,
                  },
                ]}
              />
              <Pager nextCursor={meta.next_cursor} />
            </Card>
            <TitledCard title={`Payout ${data.id}`}>
              <Details
                rows={[
                  ['State', <StateBadge key="state" state={data.status} />],
                  ['Paid to', data.payout_details ?? 'no payout details'],
                  ['E-mail', data.partner_email],
                  ['Made', <Time key="made" at={data.created_at} />],
                  ['Paid', data.paid_at ? <Time key="paid" at={data.paid_at} /> : 'not yet'],
                  ['Reference', data.reference ?? 'none'],
                ]}
              />
            </TitledCard>
          </div>
        </>
      )}
    </Loaded>
  );
}
