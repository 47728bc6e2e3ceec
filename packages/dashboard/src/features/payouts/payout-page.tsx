import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { useProgramId } from '../../ui/layout/urls.ts';
import { PayoutDetails, type WholePayout } from './payout-details.tsx';
import { CancelPayout, MarkPaid } from './settle-payout.tsx';

export function Page() {
  return <PayoutDetails actions={(payout) => payout.status === 'open' && <Actions payout={payout} />} />;
}

function Actions({ payout }: { payout: WholePayout }) {
  const programId = useProgramId();
  const [asked, setAsked] = useState<'paid' | 'cancel' | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Button look="quiet" onClick={() => setAsked('cancel')}>
        Cancel the payout
      </Button>
      <Button look="primary" onClick={() => setAsked('paid')}>
        Mark as paid
      </Button>
      {asked === 'paid' && <MarkPaid programId={programId} payout={payout} onClose={close} />}
      {asked === 'cancel' && <CancelPayout programId={programId} payout={payout} onClose={close} />}
    </>
  );
}
