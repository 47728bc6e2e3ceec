import { SecretDialog } from '../../ui/forms/secret-dialog.tsx';

type NewKeyDialogProps = { apiKey: string | undefined; onClose: () => void };

/** Shows a new API key, which is never shown again. */
export function NewKeyDialog({ apiKey, onClose }: NewKeyDialogProps) {
  return (
    <SecretDialog
      title="Your new API key"
      description="This is the only time the full key is shown. Store it with your server’s secrets."
      secret={apiKey}
      copyLabel="Copy API key"
      onClose={onClose}
    />
  );
}
