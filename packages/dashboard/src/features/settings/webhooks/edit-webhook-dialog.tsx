import { useApiMutation } from '../../../api/hooks.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { EditDialog } from '../../../ui/forms/edit-dialog.tsx';
import { typesOf, WebhookFields } from './webhook-fields.tsx';
import type { Webhook } from './webhook-words.ts';

type EditWebhookDialogProps = { programId: number; webhook: Webhook; onClose: () => void };

/** Changes where an endpoint is and what it gets. */
export function EditWebhookDialog({ programId, webhook, onClose }: EditWebhookDialogProps) {
  const toast = useToast();
  const update = useApiMutation('manageChangeWebhook', () => {
    toast('Webhook saved');
    onClose();
  });
  return (
    <EditDialog
      title="Edit webhook"
      description="Deliveries that are still pending go to the new URL. Other events apply from now on."
      saving={update}
      onSubmit={({ url, types, description }) =>
        update.mutate({
          params: { program_id: programId, webhook_id: webhook.id },
          body: { url, types: typesOf(types), description },
        })
      }
      onClose={onClose}
    >
      <WebhookFields webhook={webhook} />
    </EditDialog>
  );
}
