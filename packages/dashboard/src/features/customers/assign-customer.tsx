import { MAX_REASON_CHARS } from '@svc/contract';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { PartnerPicker } from '../../ui/records/partner-picker.tsx';

type AssignCustomerProps = { programId: number; customerId: number; partnerId: number | null };

/** Assigns the customer to a partner, or to another one. */
export function AssignCustomer({ programId, customerId, partnerId }: AssignCustomerProps) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const assignment = useApiMutation('manageAssignCustomer', ({ partner_name: name }) => {
    close();
    toast(name ? `Customer assigned to ${name}` : 'Customer assigned');
  });
  const close = () => {
    setOpen(false);
    setChosen(undefined);
    assignment.reset();
  };
  return (
    <Allowed route="manageAssignCustomer">
      <Button onClick={() => setOpen(true)}>{partnerId === null ? 'Assign to a partner' : 'Move to a partner'}</Button>
      <Dialog
        title={partnerId === null ? 'Assign this customer to a partner' : 'Move this customer to another partner'}
        description="What the customer pays from now on is credited to this partner. Sales and commissions so far stay as they are."
        isOpen={isOpen}
        onClose={close}
      >
        <Form
          error={assignment.error}
          onSubmit={({ partner_id = '', reason = '' }) =>
            assignment.mutate({
              params: { program_id: programId, customer_id: customerId },
              body: { partner_id: Number(partner_id), reason },
            })
          }
        >
          <PartnerPicker
            programId={programId}
            label="Partner"
            name="partner_id"
            required
            value={chosen}
            onValueChange={setChosen}
          />
          <TextArea
            label="Reason"
            name="reason"
            required
            rows={2}
            maxLength={MAX_REASON_CHARS}
            hint="Your team sees it in Explain and in the audit log."
          />
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="primary" isBusy={assignment.isPending}>
              {partnerId === null ? 'Assign' : 'Move'}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </Allowed>
  );
}
