import { PAYOUT_KIND_NAMES } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import type { Data } from '../../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { countryName } from '../../../rules/payout-kinds.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Details } from '../../../ui/layout/details.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Time } from '../../../ui/records/time.tsx';
import { MethodForm } from './method-form.tsx';

type Method = NonNullable<Data<'managePayoutMethod'>>;

/** Where the user wants to be paid, for all programs that they are a partner of. */
export function Page() {
  const method = useApiQuery('managePayoutMethod');
  return (
    <div className="max-w-2xl">
      <Link to="/app/account" className="mb-6 inline-flex items-center gap-1.5 text-sm text-quiet hover:text-ink">
        <ArrowLeft size={15} aria-hidden /> Account settings
      </Link>
      <PageHeader title="How you get paid" />
      <QueryState query={method}>
        {({ data }) => (
          <div className="space-y-6">
            {data && <CurrentMethod method={data} />}
            <MethodForm key={data?.updated_at} isChange={data !== null} />
          </div>
        )}
      </QueryState>
    </div>
  );
}

function CurrentMethod({ method }: { method: Method }) {
  const toast = useToast();
  const [isRemoving, setRemoving] = useState(false);
  const removal = useApiMutation('manageDeletePayoutMethod', () => {
    setRemoving(false);
    toast('Payout method removed');
  });
  const isWaiting = Date.parse(method.usable_from) > Date.now();
  return (
    <TitledCard
      title="Your payout method"
      description="All brands that you are a partner of pay you here. They see how you are paid and the end of the account."
      action={
        <Button size="small" onClick={() => setRemoving(true)}>
          Remove
        </Button>
      }
    >
      <div className="space-y-4">
        {isWaiting && (
          <Notice tone="warn">
            To protect you, brands can’t pay to it before <Time at={method.usable_from} />. If you didn’t change it,
            reset your password at once and set your payout method again.
          </Notice>
        )}
        <Details
          rows={[
            ['Paid to', `${PAYOUT_KIND_NAMES[method.kind]} ${method.masked}`],
            ['Account holder', `${method.holder_name} (${method.holder_kind})`],
            ['Country', method.country ? countryName(method.country) : 'Not entered'],
            ['Changed', <Time key="changed" at={method.updated_at} />],
          ]}
        />
      </div>
      <ConfirmDialog
        title="Remove your payout method?"
        description="Brands can’t pay you until you add another one. Payouts can use that after 72 hours."
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        confirmLabel="Remove"
        onConfirm={() => removal.mutate({})}
        isBusy={removal.isPending}
        error={removal.error}
      />
    </TitledCard>
  );
}
