import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { howInvitesAreSent, InviteLinkDialog, inviteLabel } from '../../ui/records/invite-link-dialog.tsx';
import { OpenLinkField } from '../../ui/records/open-link-field.tsx';

type InviteDialogProps = { programId: number; isOpen: boolean; onClose: () => void };

/** Adds a partner and shows their invite link. */
export function InviteDialog({ programId, isOpen, onClose }: InviteDialogProps) {
  const [isOpenLink, setOpenLink] = useState(false);
  const addition = useApiMutation('manageAddPartner');
  const partner = addition.data?.data;
  const close = () => {
    addition.reset();
    setOpenLink(false);
    onClose();
  };
  if (partner?.invite_url) {
    return (
      <InviteLinkDialog
        recipient={partner.name}
        isOpenLink={isOpenLink}
        url={partner.invite_url}
        isMailed={partner.mailed}
        isOpen={isOpen}
        onClose={close}
      />
    );
  }
  if (partner) {
    return (
      <Dialog title={`${partner.name} was added`} isOpen={isOpen} onClose={close}>
        <Notice>They already have an account, so they need no invite link: the program is in their portal now.</Notice>
        <DialogActions>
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite a partner" description={howInvitesAreSent()} isOpen={isOpen} onClose={close}>
      <Form
        error={addition.error}
        onSubmit={({ name = '', email = '' }) =>
          addition.mutate({ params: { program_id: programId }, body: { name, email, open_link: isOpenLink } })
        }
      >
        <TextField label="Name" name="name" required maxLength={255} />
        <TextField label="Email" name="email" type="email" required maxLength={255} />
        <OpenLinkField isOpenLink={isOpenLink} onChange={setOpenLink} />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={addition.isPending}>
            {inviteLabel()}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
