import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { commissionName } from '../../ui/records/commission-columns.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { CustomerLink } from '../../ui/records/record-links.tsx';
import { RunLink } from './payout-columns.tsx';
import { PayoutDetails, type PayoutWithLines } from './payout-details.tsx';
import { type PayoutAction, PayoutDialog } from './payout-dialogs.tsx';

/** A payout as the brand sees it. */
export function Page() {
  const programId = useProgramId();
  return (
    <PayoutDetails
      list="/app/programs/$programId/payouts"
      transactionCell={(line) =>
        line.transaction_id === null ? (
          commissionName(line)
        ) : (
          <Link
            to="/app/programs/$programId/commissions"
            params={{ programId }}
            search={{ q: line.transaction_id }}
            className="hover:underline"
          >
            <Identifier>{line.transaction_id}</Identifier>
          </Link>
        )
      }
      customerCell={({ customer_id: id, customer_key: key }) =>
        id ? <CustomerLink programId={programId} customerId={id} label={key ?? `Customer ${id}`} /> : '–'
      }
      actions={(payout) => (
        <>
          {payout.run_id !== null && <RunLink programId={programId} runId={payout.run_id} />}
          {(payout.status === 'paid' || (payout.status === 'open' && payout.run_id === null)) && (
            <Allowed route="manageMarkPaid" to="mark it as paid">
              <Actions payout={payout} />
            </Allowed>
          )}
        </>
      )}
    />
  );
}

function Actions({ payout }: { payout: PayoutWithLines }) {
  const programId = useProgramId();
  const [action, setAction] = useState<PayoutAction | null>(null);
  return (
    <>
      {payout.status === 'open' ? (
        <>
          <Button variant="ghost" onClick={() => setAction('cancel')}>
            Cancel payout
          </Button>
          <Button variant="primary" onClick={() => setAction('mark-paid')}>
            Mark as paid
          </Button>
        </>
      ) : (
        <Button variant="ghost" onClick={() => setAction('mark-failed')}>
          Mark as failed…
        </Button>
      )}
      {action && <PayoutDialog programId={programId} payout={payout} action={action} onClose={() => setAction(null)} />}
    </>
  );
}
