import { useAction } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { type Choice, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type NewLinkProps = {
  programId: number;
  /** Whose link it is to be; partners make their own and are not asked. */
  partners?: Choice[];
  isOpen: boolean;
  onClose: () => void;
};

export function NewLinkDialog({ programId, partners, isOpen, onClose }: NewLinkProps) {
  const say = useToast();
  const making = useAction('manageAddLink', ({ short_link: name }) => {
    say(`${name} is ready`);
    onClose();
  });
  const make = ({ partner_id = '', short_link = '', destination_url = '' }: Record<string, string>) =>
    making.mutate({
      params: { program_id: programId },
      body: {
        ...(partner_id && { partner_id: Number(partner_id) }),
        ...(short_link && { short_link }),
        ...(destination_url && { destination_url }),
      },
    });
  const close = () => {
    making.reset();
    onClose();
  };
  return (
    <Dialog
      title="New link"
      words="Visitors who come through it are counted for its partner."
      isOpen={isOpen}
      onClose={close}
    >
      <Form onSubmit={make} error={making.error}>
        {partners && (
          <SelectField label="Partner" name="partner_id" required choices={[['', 'Choose a partner'], ...partners]} />
        )}
        <TextField
          label="Name in the link"
          name="short_link"
          pattern="[A-Za-z0-9_.\-]{1,64}"
          placeholder="made up if left empty"
          hint="Letters, digits, hyphens, underscores and dots. It stands behind ?aff="
        />
        <TextField
          label="Page it leads to"
          name="destination_url"
          type="url"
          placeholder="https://example.com/pricing"
          hint="The site’s first page if left empty."
        />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={making.isPending}>
            Make the link
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
