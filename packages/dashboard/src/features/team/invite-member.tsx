import { useAction } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { InviteLink } from '../../ui/records/invite-link.tsx';

const ROLES = [
  ['member', 'Member: all but keys, team and processor'],
  ['owner', 'Owner: everything'],
] as const;

export function InviteMember({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const inviting = useAction('manageInvite');
  const invited = inviting.data?.data;
  const close = () => {
    inviting.reset();
    onClose();
  };
  if (invited) return <InviteLink to={invited.email} url={invited.invite_url} isOpen={isOpen} onClose={close} />;
  return (
    <Dialog title="Invite somebody to the team" isOpen={isOpen} onClose={close}>
      <Form
        error={inviting.error}
        onSubmit={({ email = '', role }) => inviting.mutate({ body: { email, role: role as 'owner' | 'member' } })}
      >
        <TextField label="E-mail" name="email" type="email" required maxLength={255} />
        <SelectField label="Role" name="role" choices={ROLES} />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={inviting.isPending}>
            Make the invitation
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
