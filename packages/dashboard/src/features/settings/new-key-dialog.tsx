import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';

type NewKeyDialogProps = { apiKey: string | undefined; onClose: () => void };

/** Shows a new API key, which is never shown again. */
export function NewKeyDialog({ apiKey, onClose }: NewKeyDialogProps) {
  return (
    <Dialog
      title="Your new API key"
      description="This is the only time the full key is shown. Store it with your server’s secrets."
      isOpen={apiKey !== undefined}
      onClose={onClose}
    >
      <CodeBlock text={apiKey ?? ''} label="Copy API key" />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
