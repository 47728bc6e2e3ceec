import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { buttonClass } from '../../../ui/forms/button.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { useProgramId } from '../../../ui/layout/program-id.ts';

/** Leads to the form for a new run. */
export function NewRunLink() {
  const programId = useProgramId();
  return (
    <Allowed route="manageMakePayoutRun" to="make payout runs">
      <Link
        to="/app/programs/$programId/payouts/runs/new"
        params={{ programId }}
        className={buttonClass({ variant: 'primary' })}
      >
        <Plus size={16} aria-hidden /> New payout run
      </Link>
    </Allowed>
  );
}
