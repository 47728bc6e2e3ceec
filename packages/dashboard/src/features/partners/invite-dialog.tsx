import { useApiMutation } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { InviteLinkDialog } from '../../ui/records/invite-link-dialog.tsx';

type InviteDialogProps = { programId: number; isOpen: boolean; onClose: () => void };

/** Adds a partner and shows their invite link. */
export function InviteDialog({ programId, isOpen, onClose }: InviteDialogProps) {
  const addition = useApiMutation('manageAddPartner');
  const partner = addition.data?.data;
  const close = () => {
    addition.reset();
    onClose();
  };
  if (partner) {
    return <InviteLinkDialog recipient={partner.name} url={partner.invite_url} isOpen={isOpen} onClose={close} />;
  }
  return (
    <Dialog
      title="Invite a partner"
      description="You’ll get an invite link to send them yourself."
      isOpen={isOpen}
      onClose={close}
    >
      <Form
        error={addition.error}
        onSubmit={({ name = '', email = '' }) =>
          addition.mutate({ params: { program_id: programId }, body: { name, email } })
        }
      >
        <TextField label="Name" name="name" required maxLength={255} />
        <TextField label="Email" name="email" type="email" required maxLength={255} />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={addition.isPending}>
            Create invite link
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
