import { MAX_REASON_CHARS, PAYOUT_KIND_NAMES } from '@svc/contract';
import { useState } from 'react';
import type { Data } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/hooks.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { TextArea } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { useProgramId } from '../../../ui/layout/program-id.ts';
import { Time } from '../../../ui/records/time.tsx';

type PartnerData = Data<'managePartner'>;
type Method = NonNullable<PartnerData['payout_method']>;
type PayoutMethodProps = { partner: Pick<PartnerData, 'id' | 'name'>; method: Method | null };

/** How the partner is paid and, while a changed method waits, until when; owners can end the wait. */
export function PayoutMethod({ partner, method }: PayoutMethodProps) {
  const [isLifting, setLifting] = useState(false);
  if (!method) return <span className="text-quiet">No payout method yet</span>;
  const isWaiting = Date.parse(method.usable_from) > Date.now();
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span>
        {PAYOUT_KIND_NAMES[method.kind]} {method.masked}
      </span>
      {isWaiting && (
        <>
          <span className="text-warn">
            Changed, payouts wait until <Time at={method.usable_from} />
          </span>
          <Allowed route="manageLiftPayoutWait">
            <Button size="small" onClick={() => setLifting(true)}>
              Use it now…
            </Button>
          </Allowed>
        </>
      )}
      {isLifting && <LiftDialog {...{ partner, method }} onClose={() => setLifting(false)} />}
    </span>
  );
}

function LiftDialog({
  partner,
  method,
  onClose,
}: Pick<PayoutMethodProps, 'partner'> & { method: Method; onClose: () => void }) {
  const toast = useToast();
  const params = { program_id: useProgramId(), partner_id: partner.id };
  const lifting = useApiMutation('manageLiftPayoutWait', () => {
    onClose();
    toast(`Payouts to ${partner.name} can use the new method now`);
  });
  const lift = ({ reason = '' }: Record<string, string>) =>
    lifting.mutate({ params, body: { reason, usable_from: method.usable_from } });
  return (
    <Dialog
      title={`Use ${partner.name}’s new payout method now?`}
      description={`${PAYOUT_KIND_NAMES[method.kind]} ${method.masked}. Payouts of this program stop waiting.`}
      isOpen
      onClose={onClose}
    >
      <Form error={lifting.error} onSubmit={lift} label="Use it now">
        <Notice tone="warn">
          People who get into someone’s account change where the money goes. Call the partner, at a number you knew
          before, and ask whether they changed it. We’ll email them.
        </Notice>
        <TextArea
          label="Reason"
          name="reason"
          required
          rows={2}
          maxLength={MAX_REASON_CHARS}
          hint="Kept in the audit log."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={lifting.isPending}>
            Use it now
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
