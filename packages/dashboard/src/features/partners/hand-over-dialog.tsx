import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { InviteLinkDialog } from '../../ui/records/invite-link-dialog.tsx';
import { Money } from '../../ui/records/money.tsx';
import { OpenLinkField } from '../../ui/records/open-link-field.tsx';

type HandOverDialogProps = { programId: number; partner: Data<'manageUpdatePartner'>; onClose: () => void };

/** Hands a partner, and what is due to them, over to another account. Only owners can. */
export function HandOverDialog({ programId, partner, onClose }: HandOverDialogProps) {
  const params = { program_id: programId, partner_id: partner.id };
  const [isOpenLink, setOpenLink] = useState(false);
  const invitation = useApiMutation('manageInvitePartner');
  const created = invitation.data?.data;
  if (created) {
    return (
      <InviteLinkDialog
        recipient={created.email}
        isOpenLink={created.open_link}
        url={created.invite_url}
        isMailed={created.mailed}
        isOpen
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title={`Hand ${partner.name} over to another account?`}
      description="The person who accepts the invitation becomes this partner: they see the links, sales and earnings, and get the payouts. The current account keeps access until then and is notified afterwards."
      isOpen
      onClose={onClose}
    >
      <Form
        error={invitation.error}
        onSubmit={({ email }) =>
          invitation.mutate({ params, body: { email, open_link: isOpenLink, replace_account: true } })
        }
      >
        <OpenBalances programId={programId} partnerId={partner.id} />
        <TextField label="Email" name="email" type="email" required maxLength={255} defaultValue={partner.email} />
        <OpenLinkField isOpenLink={isOpenLink} onChange={setOpenLink} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" isBusy={invitation.isPending}>
            Create hand-over link
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function OpenBalances({ programId, partnerId }: { programId: number; partnerId: number }) {
  const query = { partner_id: partnerId };
  const balances = useApiQuery('manageBalances', { params: { program_id: programId }, query }).data?.data ?? [];
  if (balances.length === 0) return null;
  return (
    <Notice tone="warn">
      {balances.map(({ currency, payable_cents: payable, pending_cents: pending }) => (
        <p key={currency}>
          <Money cents={payable} currency={currency} /> payable and <Money cents={pending} currency={currency} /> on
          hold would go to the new account.
        </p>
      ))}
    </Notice>
  );
}
