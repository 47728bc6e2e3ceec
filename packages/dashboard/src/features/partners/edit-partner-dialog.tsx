import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { EditDialog } from '../../ui/forms/edit-dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';

type EditPartnerDialogProps = { programId: number; partner: Data<'manageUpdatePartner'>; onClose: () => void };

/** Changes what the brand calls a partner, and by which id its own systems know them. */
export function EditPartnerDialog({ programId, partner, onClose }: EditPartnerDialogProps) {
  const toast = useToast();
  const update = useApiMutation('manageUpdatePartner', ({ name }) => {
    toast(`${name} saved`);
    onClose();
  });
  return (
    <EditDialog
      title={`Edit ${partner.name}`}
      saving={update}
      onSubmit={({ name, external_id: externalId }) =>
        update.mutate({
          params: { program_id: programId, partner_id: partner.id },
          body: { name, external_id: externalId || null },
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        required
        defaultValue={partner.name}
        hint="The same in all programs of your workspace. The partner’s own account keeps its name."
      />
      <TextField
        label="External ID"
        name="external_id"
        defaultValue={partner.external_id ?? ''}
        placeholder="user_42"
        hint="The partner’s ID in your own systems, for this program. Leave empty if they have none."
      />
    </EditDialog>
  );
}
