import type { Row } from '../../api/client.ts';
import { TitledCard } from '../layout/card.tsx';
import { Details } from '../layout/details.tsx';
import { Money } from './money.tsx';

type OpeningBalancesProps = { balances: readonly Row<'manageOpeningBalances'>[] | undefined };

/** What another tool owed and had paid when the partner was imported. Nothing without such balances. */
export function OpeningBalances({ balances = [] }: OpeningBalancesProps) {
  if (balances.length === 0) return null;
  return (
    <TitledCard
      title="Opening balance"
      description="As the previous tool reported it. It is not paid here, unless it says so."
    >
      <div className="space-y-5">
        {balances.map(({ source, currency, pending_cents, approved_cents, paid_cents, commission_id }) => (
          <Details
            key={`${source} ${currency}`}
            rows={[
              ['From', source],
              ['On hold', <Money key="pending" cents={pending_cents} currency={currency} />],
              ['Approved', <Money key="approved" cents={approved_cents} currency={currency} />],
              ['Paid', <Money key="paid" cents={paid_cents} currency={currency} />],
              ...(commission_id === null
                ? []
                : [['Paid here', 'The approved part, as an adjustment'] as [string, string]]),
            ]}
          />
        ))}
      </div>
    </TitledCard>
  );
}
