import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { LinkFields } from './link-fields.tsx';
import type { ListedLink } from './listed-link.ts';

type EditLinkDialogProps = { programId: number; link: ListedLink; onClose: () => void };

/** Changes where a link leads and what it is called in lists. Its name stays, because it may be printed somewhere. */
export function EditLinkDialog({ programId, link, onClose }: EditLinkDialogProps) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateLink', ({ short_link: name }) => {
    toast(`Link ${name} saved`);
    onClose();
  });
  return (
    <Dialog
      title={`Edit ${link.short_link}`}
      description="Links that are already shared lead to the new page, too."
      isOpen
      onClose={onClose}
    >
      <Form
        error={update.error}
        onSubmit={({ destination_url: url, label }) =>
          update.mutate({
            params: { program_id: programId, link_id: link.id },
            body: { destination_url: url, label },
          })
        }
      >
        <LinkFields programId={programId} link={link} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={update.isPending}>
            Save changes
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
