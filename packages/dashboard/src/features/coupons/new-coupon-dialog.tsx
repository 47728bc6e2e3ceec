import { MAX_COUPON_CHARS } from '@svc/contract';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { PartnerPicker } from '../../ui/records/partner-picker.tsx';

/** Gives a partner a coupon code. */
export function NewCouponDialog({ programId, onClose }: { programId: number; onClose: () => void }) {
  const toast = useToast();
  const [partnerId, setPartnerId] = useState<string>();
  const creation = useApiMutation('manageAddCoupon', ({ code, partner_name: name }) => {
    onClose();
    toast(`Coupon ${code} created for ${name}`);
  });
  return (
    <Dialog
      title="New coupon"
      description="The discount itself is set up in your shop or at your payment processor. Here you assign the code to a partner."
      isOpen
      onClose={onClose}
    >
      <Form
        error={creation.error}
        onSubmit={({ code = '', partner_id = '' }) =>
          creation.mutate({ params: { program_id: programId }, body: { code, partner_id: Number(partner_id) } })
        }
      >
        <TextField
          label="Code"
          name="code"
          required
          maxLength={MAX_COUPON_CHARS}
          placeholder="JANE10"
          autoComplete="off"
          hint="Codes are not case-sensitive."
        />
        <PartnerPicker
          programId={programId}
          label="Partner"
          name="partner_id"
          required
          value={partnerId}
          onValueChange={setPartnerId}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={creation.isPending}>
            Create coupon
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
