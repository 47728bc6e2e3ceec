import { useState } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../../ui/forms/menu.tsx';
import { EditWebhookDialog } from './edit-webhook-dialog.tsx';
import { EnableDialog } from './enable-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import type { Webhook } from './webhook-words.ts';

type WebhookActionsProps = {
  programId: number;
  webhook: Webhook;
  /** Leaves the page of an endpoint that is gone. */
  onDeleted?: () => Promise<void>;
};
type Action = 'edit' | 'enable' | 'disable' | 'rotate' | 'delete';

/** What an owner can do with an endpoint. */
export function WebhookActions({ programId, webhook, onDeleted }: WebhookActionsProps) {
  const [action, setAction] = useState<Action | null>(null);
  const close = () => setAction(null);
  const props = { programId, webhook, onClose: close };
  return (
    <>
      <ActionsMenu name={webhook.url}>
        <MenuItem onSelect={() => setAction('edit')}>Edit</MenuItem>
        {webhook.status === 'active' ? (
          <MenuItem onSelect={() => setAction('disable')}>Disable</MenuItem>
        ) : (
          <MenuItem onSelect={() => setAction('enable')}>Enable</MenuItem>
        )}
        <MenuItem onSelect={() => setAction('rotate')}>Rotate secret</MenuItem>
        <MenuSeparator />
        <MenuItem isDanger onSelect={() => setAction('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      {action === 'edit' && <EditWebhookDialog {...props} />}
      {action === 'enable' && <EnableDialog {...props} />}
      {action === 'disable' && <DisableDialog {...props} />}
      {action === 'rotate' && <RotateDialog {...props} />}
      {action === 'delete' && <DeleteDialog {...props} onDeleted={onDeleted} />}
    </>
  );
}

type DialogProps = { programId: number; webhook: Webhook; onClose: () => void };

function DisableDialog({ programId, webhook, onClose }: DialogProps) {
  const toast = useToast();
  const disabling = useApiMutation('manageChangeWebhook', () => {
    toast('Webhook disabled');
    onClose();
  });
  const params = { program_id: programId, webhook_id: webhook.id };
  return (
    <ConfirmDialog
      title="Disable this webhook?"
      description="Nothing is sent to it until you enable it again. You can then choose whether to send what it missed."
      confirmLabel="Disable"
      isOpen
      onClose={onClose}
      onConfirm={() => disabling.mutate({ params, body: { status: 'disabled' } })}
      isBusy={disabling.isPending}
      error={disabling.error}
    />
  );
}

function RotateDialog({ programId, webhook, onClose }: DialogProps) {
  const rotation = useApiMutation('manageRotateWebhookSecret');
  const params = { program_id: programId, webhook_id: webhook.id };
  const secret = rotation.data?.data.secret;
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Rotate the signing secret?"
      description="You get a new secret, which is shown once. For 24 hours, deliveries are signed with the old and the new one, so that you can replace it on your server without missing any. If you rotate again within that time, the older one ends at once."
      confirmLabel="Rotate secret"
      variant="primary"
      isOpen
      onClose={onClose}
      onConfirm={() => rotation.mutate({ params })}
      isBusy={rotation.isPending}
      error={rotation.error}
    />
  );
}

function DeleteDialog({
  programId,
  webhook,
  onClose,
  onDeleted,
}: DialogProps & Pick<WebhookActionsProps, 'onDeleted'>) {
  const toast = useToast();
  const deletion = useApiMutation('manageDeleteWebhook', () => {
    toast('Webhook deleted');
    onClose();
    return onDeleted?.();
  });
  const params = { program_id: programId, webhook_id: webhook.id };
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      description="Nothing more is sent to it, not even what is still pending. Its deliveries are deleted with it. This can’t be undone."
      confirmLabel="Delete webhook"
      isOpen
      onClose={onClose}
      onConfirm={() => deletion.mutate({ params })}
      isBusy={deletion.isPending}
      error={deletion.error}
    />
  );
}
