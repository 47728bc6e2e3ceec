import { useApiMutation } from '../../../api/hooks.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { Form } from '../../../ui/forms/form.tsx';
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
    <Dialog
      title="Edit webhook"
      description="Deliveries that are still pending go to the new URL. Other events apply from now on."
      isOpen
      onClose={onClose}
    >
      <Form
        error={update.error}
        onSubmit={({ url, types, description }) =>
          update.mutate({
            params: { program_id: programId, webhook_id: webhook.id },
            body: { url, types: typesOf(types), description },
          })
        }
      >
        <WebhookFields webhook={webhook} />
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
