import { type ReactNode, useState } from 'react';
import type { Reply, Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { formatCount } from '../../rules/money.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import { Money } from '../../ui/records/money.tsx';
import { moneyText } from '../../ui/records/money-totals.tsx';

const SHOWN = 8;

type Balances = Reply<'manageBalances'>;
type PayoutRunDialogProps = { programId: number; onClose: () => void };

/** Shows who would be paid how much, then has the service create the payouts. */
export function PayoutRunDialog({ programId, onClose }: PayoutRunDialogProps) {
  const [, setSearch] = useSearchParams();
  const [leavesOut, setLeavesOut] = useState(false);
  const [includesInactive, setIncludesInactive] = useState(false);
  const run = useApiMutation('manageStartPayouts', () => {
    onClose();
    setSearch({ tab: 'payouts', status: 'open', q: undefined, sort: undefined });
  });
  const params = { program_id: programId };
  const active = { payable: 'true', totals: 'true' } as const;
  const query = { ...active, ...(includesInactive && ({ include_inactive: 'true' } as const)) };
  const method = leavesOut ? ({ has_payout_method: 'true' } as const) : {};
  const preview = useApiQuery('manageBalances', {
    params,
    query: { ...query, ...method, sort: '-payable_cents', limit: SHOWN },
  });
  const missing = useApiQuery('manageBalances', { params, query: { ...query, has_payout_method: 'false', limit: 1 } });
  const withoutMethod = missing.data?.meta.count ?? 0;
  const countOfActive = useApiQuery('manageBalances', { params, query: { ...active, limit: 1 } }).data?.meta.count;
  const everyone = { ...active, include_inactive: 'true', limit: 1 } as const;
  const countOfAll = useApiQuery('manageBalances', { params, query: everyone }).data?.meta.count;
  const inactive = (countOfAll ?? 0) - (countOfActive ?? countOfAll ?? 0);
  const start = ({ meta }: Balances) =>
    run.mutate({
      params,
      body: {
        with_payout_method: leavesOut,
        include_inactive: includesInactive,
        count: meta.count ?? 0,
        totals: payableOf(meta),
      },
    });
  return (
    <Dialog
      title="Pay by hand"
      description="Creates a payout for each partner and currency, without an approval and without files. You send the money yourself, then mark the payouts as paid. For files and an approval, make a payout run."
      isOpen
      onClose={onClose}
    >
      <QueryState query={preview} lines={6}>
        {(balances) => (
          <div className="space-y-4">
            <Preview balances={balances} />
            {withoutMethod > 0 && (
              <Choice isChosen={leavesOut} onChoose={setLeavesOut}>
                Leave out {countOf(withoutMethod, 'balances')} of partners without a payout method
              </Choice>
            )}
            {inactive > 0 && (
              <Choice isChosen={includesInactive} onChoose={setIncludesInactive}>
                Also pay {countOf(inactive, 'balances')} of partners who are blocked or removed
              </Choice>
            )}
            <ErrorNotice error={run.error} />
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button
                variant="primary"
                isBusy={run.isPending}
                disabled={preview.isPlaceholderData || balances.meta.count === 0}
                onClick={() => start(balances)}
              >
                Create {countOf(balances.meta.count ?? 0, 'payouts')}
              </Button>
            </DialogActions>
          </div>
        )}
      </QueryState>
    </Dialog>
  );
}

type ChoiceProps = { isChosen: boolean; onChoose: (isChosen: boolean) => void; children: ReactNode };

/** Asks whether to pay a group of partners too. */
function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <Notice tone="warn">
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
        <span>{children}</span>
      </label>
    </Notice>
  );
}

/** How many payouts for how much, and the largest of them. */
function Preview({ balances: { data, meta } }: { balances: Balances }) {
  const rest = (meta.count ?? 0) - data.length;
  const sums = payableOf(meta).map(({ currency, payable_cents: cents }) => ({ currency, cents }));
  if (data.length === 0) return <p className="text-sm">There are no partners to pay.</p>;
  return (
    <>
      <p className="font-semibold tabular-nums">
        {countOf(meta.count ?? 0, 'payouts')}, {moneyText(sums)}
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line text-sm">
        {data.map((balance) => (
          <PreviewRow key={`${balance.partner_id} ${balance.currency}`} balance={balance} />
        ))}
        {rest > 0 && <li className="px-3.5 py-2 text-quiet">and {formatCount(rest)} more</li>}
      </ul>
    </>
  );
}

function PreviewRow({ balance }: { balance: Row<'manageBalances'> }) {
  return (
    <li className="flex items-center justify-between gap-3 px-3.5 py-2">
      <span className="min-w-0">
        <NameWithAvatar name={balance.partner_name} />
        {balance.partner_status !== 'active' && (
          <span className="ml-2 text-xs text-warn">{balance.partner_status}</span>
        )}
        {!balance.payout_method && <span className="ml-2 text-xs text-warn">no payout method</span>}
      </span>
      <Money cents={balance.payable_cents} currency={balance.currency} />
    </li>
  );
}

function payableOf({ totals = [] }: Balances['meta']) {
  return totals.map(({ currency, payable_cents }) => ({ currency, payable_cents }));
}
