import type { WorkspaceRole } from '@svc/contract';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { howInvitesAreSent, InviteLinkDialog, inviteLabel } from '../../ui/records/invite-link-dialog.tsx';
import { OpenLinkField } from '../../ui/records/open-link-field.tsx';
import { ROLE_OPTIONS } from './role-options.ts';

export function InviteMember({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [role, setRole] = useState<WorkspaceRole>('member');
  const [isOpenLink, setOpenLink] = useState(false);
  const creation = useApiMutation('manageInvite');
  const invitation = creation.data?.data;
  const close = () => {
    creation.reset();
    setRole('member');
    setOpenLink(false);
    onClose();
  };
  if (invitation) {
    return (
      <InviteLinkDialog
        recipient={invitation.email}
        isOpenLink={invitation.open_link}
        url={invitation.invite_url}
        isMailed={invitation.mailed}
        isOpen={isOpen}
        onClose={close}
      />
    );
  }
  return (
    <Dialog title="Invite a team member" description={howInvitesAreSent()} isOpen={isOpen} onClose={close}>
      <Form
        error={creation.error}
        onSubmit={({ email = '' }) => creation.mutate({ body: { email, role, open_link: isOpenLink } })}
      >
        <TextField label="Email" name="email" type="email" required maxLength={255} />
        <SelectField label="Role" name="role" options={ROLE_OPTIONS} value={role} onValueChange={setRole} />
        <OpenLinkField isOpenLink={isOpenLink} onChange={setOpenLink} />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={creation.isPending}>
            {inviteLabel()}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
