import { useState } from 'react';
import { useApiQuery } from '../../../api/hooks.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Details } from '../../../ui/layout/details.tsx';
import { Money } from '../../../ui/records/money.tsx';
import { AdjustmentDialog } from './adjustment-dialog.tsx';
import type { PartnerData } from './profile.tsx';

/** What is due to the partner, by currency, and how to add to it by hand. */
export function Balance({ programId, partner }: { programId: number; partner: PartnerData }) {
  const [isAdjusting, setAdjusting] = useState(false);
  const query = { partner_id: partner.id };
  const balances = useApiQuery('manageBalances', { params: { program_id: programId }, query });
  return (
    <TitledCard
      title="Balance"
      action={
        <Allowed route="manageAddAdjustment">
          <Button size="small" onClick={() => setAdjusting(true)}>
            Bonus or adjustment
          </Button>
        </Allowed>
      }
    >
      <QueryState query={balances}>
        {({ data: rows }) =>
          rows.length === 0 ? (
            <p className="text-sm text-quiet">No balance yet.</p>
          ) : (
            <div className="space-y-5">
              {rows.map(({ currency, pending_cents, approved_cents, carried_cents, payable_cents }) => (
                <Details
                  key={currency}
                  rows={[
                    ['On hold', <Money key="on-hold" cents={pending_cents} currency={currency} />],
                    ['Approved', <Money key="approved" cents={approved_cents} currency={currency} />],
                    ['Carried over', <Money key="carried-over" cents={carried_cents} currency={currency} />],
                    [
                      'Payable',
                      <strong key="payable">
                        <Money cents={payable_cents} currency={currency} />
                      </strong>,
                    ],
                  ]}
                />
              ))}
            </div>
          )
        }
      </QueryState>
      {isAdjusting && <AdjustmentDialog {...{ programId, partner }} onClose={() => setAdjusting(false)} />}
    </TitledCard>
  );
}
