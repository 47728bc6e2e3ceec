import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { KeyRotation } from './key-rotation.tsx';
import type { Program } from './settings-form.tsx';

type ApiKeyProps = { program: Program; isOwner: boolean };

/** The program’s API key, masked. Owners can regenerate it or require its rotation. */
export function ApiKey({ program, isOwner }: ApiKeyProps) {
  return (
    <>
      <TitledCard
        title="API key"
        description="Your server uses it to report signups, sales and refunds. The full key is shown only once, when it is generated."
      >
        <p className="mb-5 w-fit rounded-lg border border-line bg-sunken px-3.5 py-2 font-mono text-sm">
          {program.api_key_masked ?? 'No key yet'}
        </p>
        {isOwner ? (
          <RegenerateKey programId={program.id} />
        ) : (
          <Notice>Only workspace owners can regenerate the API key.</Notice>
        )}
      </TitledCard>
      {isOwner && <KeyRotation program={program} />}
    </>
  );
}

function RegenerateKey({ programId }: { programId: number }) {
  const [isConfirming, setConfirming] = useState(false);
  const regeneration = useApiMutation('manageRegenerateKey', () => setConfirming(false));
  const newKey = regeneration.data?.data.api_key;
  return (
    <>
      <Button variant="danger" onClick={() => setConfirming(true)}>
        Regenerate API key
      </Button>
      <ConfirmDialog
        title="Regenerate the API key?"
        description="The current key stops working immediately. Until your server uses the new key, the signups, sales and refunds it reports are rejected."
        confirmLabel="Regenerate"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => regeneration.mutate({ params: { program_id: programId } })}
        isBusy={regeneration.isPending}
        error={regeneration.error}
      />
      <Dialog
        title="Your new API key"
        description="This is the only time the full key is shown. Store it with your server’s secrets."
        isOpen={newKey !== undefined}
        onClose={() => regeneration.reset()}
      >
        <CodeBlock text={newKey ?? ''} label="Copy API key" />
        <DialogActions>
          <Button variant="primary" onClick={() => regeneration.reset()}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
