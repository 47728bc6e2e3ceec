import { useAction } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { InviteLink } from '../../ui/records/invite-link.tsx';

type InviteDialogProps = { programId: number; isOpen: boolean; onClose: () => void };

/** Adds a partner and shows the link that lets them in. */
export function InviteDialog({ programId, isOpen, onClose }: InviteDialogProps) {
  const adding = useAction('manageAddPartner');
  const added = adding.data?.data;
  const close = () => {
    adding.reset();
    onClose();
  };
  if (added) return <InviteLink to={added.name} url={added.invite_url} isOpen={isOpen} onClose={close} />;
  return (
    <Dialog
      title="Invite a partner"
      words="You get a link to send them, by e-mail or however you talk."
      isOpen={isOpen}
      onClose={close}
    >
      <Form
        error={adding.error}
        onSubmit={({ name = '', email = '' }) =>
          adding.mutate({ params: { program_id: programId }, body: { name, email } })
        }
      >
        <TextField label="Name" name="name" required maxLength={255} />
        <TextField label="E-mail" name="email" type="email" required maxLength={255} />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={adding.isPending}>
            Make the invitation
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
