import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { PartnerPicker } from '../../ui/records/partner-picker.tsx';
import { LinkFields } from './link-fields.tsx';

/** Whether a partner is chosen for a link, or it belongs to the signed-in partner. */
export type LinkOwnership = 'chosen' | 'own';

type NewLinkDialogProps = {
  programId: number;
  ownership: LinkOwnership;
  isOpen: boolean;
  onClose: () => void;
};

export function NewLinkDialog({ programId, ownership, isOpen, onClose }: NewLinkDialogProps) {
  const toast = useToast();
  const [partnerId, setPartnerId] = useState<string>();
  const creation = useApiMutation('manageAddLink', ({ short_link: name }) => {
    toast(`Link ${name} created`);
    close();
  });
  const create = ({ partner_id = '', short_link = '', destination_url = '', label = '' }: Record<string, string>) =>
    creation.mutate({
      params: { program_id: programId },
      body: {
        ...(partner_id && { partner_id: Number(partner_id) }),
        ...(short_link && { short_link }),
        ...(destination_url && { destination_url }),
        ...(label && { label }),
      },
    });
  const close = () => {
    setPartnerId(undefined);
    creation.reset();
    onClose();
  };
  return (
    <Dialog
      title="New link"
      description={`Visitors who click the link are attributed to ${ownership === 'chosen' ? 'its partner' : 'you'}.`}
      isOpen={isOpen}
      onClose={close}
    >
      <Form onSubmit={create} error={creation.error}>
        {ownership === 'chosen' && (
          <PartnerPicker
            programId={programId}
            label="Partner"
            name="partner_id"
            required
            value={partnerId}
            onValueChange={setPartnerId}
          />
        )}
        <TextField
          label="Link name"
          name="short_link"
          pattern="[A-Za-z0-9_.\-]{1,64}"
          placeholder="Generated if empty"
          hint="Added to the URL as ?aff=name. Use letters, digits, hyphens, underscores and dots."
        />
        <LinkFields programId={programId} />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={creation.isPending}>
            Create link
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
