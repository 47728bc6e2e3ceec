import { Button } from '../../../ui/forms/button.tsx';
import { CodeBlock } from '../../../ui/forms/copy.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';

const VERIFY = `import { verifyWebhook } from '@svc/node';

// body: the text of the request, before anything has parsed it
const event = await verifyWebhook(body, headers, process.env.SVC_WEBHOOK_SECRET);`;

type SecretDialogProps = { secret: string | undefined; onClose: () => void };

/** Shows the signing secret of an endpoint, which is never shown again, and the code that uses it. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title="Your signing secret"
      description="This is the only time it is shown. Store it with your server’s secrets."
      isOpen={secret !== undefined}
      onClose={onClose}
    >
      <div className="space-y-4">
        <CodeBlock text={secret ?? ''} label="Copy signing secret" />
        <p className="text-sm">
          Your server uses it to verify that a delivery comes from us. Any library for Standard Webhooks can do this,
          and so can ours:
        </p>
        <CodeBlock text={VERIFY} label="Copy code" />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
