import { useApiMutation } from '../../api/hooks.ts';
import { describeFile } from '../../rules/creative.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { EditDialog } from '../../ui/forms/edit-dialog.tsx';
import { CommonFields, CreativeTextField, groupOf, UrlField } from './creative-fields.tsx';
import type { Creative } from './creative-preview.tsx';

type EditProps = { programId: number; creative: Creative; onClose: () => void };

/** Changes a creative. Its file stays: what partners have downloaded is what the brand still shows. */
export function EditCreativeDialog({ programId, creative, onClose }: EditProps) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateCreative', () => {
    onClose();
    toast('Changes saved');
  });
  const params = { program_id: programId, creative_id: creative.id };
  return (
    <EditDialog
      title={`Edit ${creative.title}`}
      description={
        creative.file
          ? `${creative.file.name} (${describeFile(creative.file)}). To replace the file, add another creative.`
          : undefined
      }
      saving={update}
      onSubmit={({ title, group_id: group, url, text }) =>
        update.mutate({
          params,
          body: {
            title,
            ...(group !== undefined && { group_id: groupOf(group) }),
            ...(url !== undefined && { url }),
            ...(text !== undefined && { text }),
          },
        })
      }
      onClose={onClose}
    >
      {creative.kind === 'link' && <UrlField creative={creative} />}
      {creative.kind === 'text' && <CreativeTextField creative={creative} />}
      <CommonFields programId={programId} creative={creative} />
    </EditDialog>
  );
}
