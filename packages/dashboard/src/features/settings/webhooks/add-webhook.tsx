import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { typesOf, WebhookFields } from './webhook-fields.tsx';
import type { Format } from './webhook-words.ts';

/** Adds an endpoint, and shows its secret once if its receiver can use one. */
export function AddWebhook({ programId }: { programId: number }) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const addition = useApiMutation('manageAddWebhook', (added) => {
    setOpen(false);
    // Slack and Discord check no signatures.
    if (added.format === 'json') setSecret(added.secret);
    else toast('Webhook added');
  });
  const close = () => {
    setOpen(false);
    addition.reset();
  };
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus size={16} aria-hidden /> Add webhook
      </Button>
      <Dialog title="Add a webhook" isOpen={isOpen} onClose={close}>
        <Form
          error={addition.error}
          onSubmit={({ url = '', types, format, description }) =>
            addition.mutate({
              params: { program_id: programId },
              body: { url, types: typesOf(types), format: format as Format, description },
            })
          }
        >
          <WebhookFields />
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="primary" isBusy={addition.isPending}>
              Add webhook
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
      <SecretDialog
        secret={secret}
        onClose={() => {
          setSecret(undefined);
          addition.reset();
        }}
      />
    </>
  );
}
