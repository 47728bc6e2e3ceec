import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { type Option, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type NewLinkDialogProps = {
  programId: number;
  /** Who the link can belong to; without them it belongs to the signed-in partner. */
  partners?: Option[];
  isOpen: boolean;
  onClose: () => void;
};

export function NewLinkDialog({ programId, partners, isOpen, onClose }: NewLinkDialogProps) {
  const toast = useToast();
  const creation = useApiMutation('manageAddLink', ({ short_link: name }) => {
    toast(`Link ${name} created`);
    onClose();
  });
  const create = ({ partner_id = '', short_link = '', destination_url = '' }: Record<string, string>) =>
    creation.mutate({
      params: { program_id: programId },
      body: {
        ...(partner_id && { partner_id: Number(partner_id) }),
        ...(short_link && { short_link }),
        ...(destination_url && { destination_url }),
      },
    });
  const close = () => {
    creation.reset();
    onClose();
  };
  return (
    <Dialog
      title="New link"
      description={`Visitors who click the link are attributed to ${partners ? 'its partner' : 'you'}.`}
      isOpen={isOpen}
      onClose={close}
    >
      <Form onSubmit={create} error={creation.error}>
        {partners && (
          <SelectField label="Partner" name="partner_id" required options={[['', 'Select a partner'], ...partners]} />
        )}
        <TextField
          label="Link name"
          name="short_link"
          pattern="[A-Za-z0-9_.\-]{1,64}"
          placeholder="Generated if empty"
          hint="Added to the URL as ?aff=name. Use letters, digits, hyphens, underscores and dots."
        />
        <TextField
          label="Destination URL"
          name="destination_url"
          type="url"
          placeholder="https://example.com/pricing"
          hint="A page of the program’s website. Leave empty to link to its home page."
        />
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
