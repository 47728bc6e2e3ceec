import { Button } from './button.tsx';
import { CodeBlock } from './copy.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

type SecretDialogProps = {
  title: string;
  description: string;
  /** What is shown; the dialog is open as long as there is something. */
  secret: string | undefined;
  copyLabel: string;
  onClose: () => void;
};

/** Shows a new secret, which is never shown again. */
export function SecretDialog({ title, description, secret, copyLabel, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} description={description} isOpen={secret !== undefined} onClose={onClose}>
      <CodeBlock text={secret ?? ''} label={copyLabel} />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
