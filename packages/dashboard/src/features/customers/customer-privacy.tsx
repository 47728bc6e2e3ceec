import { useState } from 'react';
import { urlOf } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { FileLink } from '../../ui/lists/file-link.tsx';

type CustomerProps = { programId: number; customerId: number };

/** What a customer may ask for: their data, or to be erased. */
export function CustomerPrivacy({ programId, customerId }: CustomerProps) {
  const [isErasing, setErasing] = useState(false);
  const params = { program_id: programId, customer_id: customerId };
  return (
    <>
      <Allowed route="manageExportCustomer">
        <FileLink
          href={urlOf('manageExportCustomer', { params })}
          label="Export data"
          fileName={`customer-${customerId}.json`}
        />
      </Allowed>
      <Allowed route="manageEraseCustomer">
        <Button onClick={() => setErasing(true)}>Erase…</Button>
        {isErasing && <EraseDialog {...{ programId, customerId }} onClose={() => setErasing(false)} />}
      </Allowed>
    </>
  );
}

const CONFIRMATION = 'erase';

function EraseDialog({ programId, customerId, onClose }: CustomerProps & { onClose: () => void }) {
  const toast = useToast();
  const [typed, setTyped] = useState('');
  const erasure = useApiMutation('manageEraseCustomer', () => {
    onClose();
    toast('Customer erased');
  });
  const params = { program_id: programId, customer_id: customerId };
  return (
    <Dialog
      title="Erase this customer?"
      description="Everything that identifies them is removed for good: key, email, clicks, payment processor IDs and events. Sales, commissions and payouts stay. Later purchases count as someone new, without a partner."
      isOpen
      onClose={onClose}
    >
      <Form
        error={erasure.error}
        onSubmit={({ reason }) => erasure.mutate({ params, body: { reason: reason || undefined } })}
      >
        <TextField
          label="Reason (optional)"
          name="reason"
          maxLength={500}
          hint="For the audit log. Don’t name the customer."
        />
        <TextField
          label={`Type “${CONFIRMATION}” to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="danger"
            isBusy={erasure.isPending}
            disabled={typed.trim().toLowerCase() !== CONFIRMATION}
          >
            Erase customer
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
