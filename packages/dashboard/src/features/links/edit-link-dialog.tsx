import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { EditDialog } from '../../ui/forms/edit-dialog.tsx';
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
    <EditDialog
      title={`Edit ${link.short_link}`}
      description="Links that are already shared lead to the new page, too."
      saving={update}
      onSubmit={({ destination_url: url, label }) =>
        update.mutate({
          params: { program_id: programId, link_id: link.id },
          body: { destination_url: url, label },
        })
      }
      onClose={onClose}
    >
      <LinkFields programId={programId} link={link} />
    </EditDialog>
  );
}
