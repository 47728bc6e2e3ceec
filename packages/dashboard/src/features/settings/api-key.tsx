import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { ApiKeyList } from './api-key-list.tsx';
import { CreateApiKey } from './create-api-key.tsx';
import { KeyRotation } from './key-rotation.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import type { Program } from './settings-form.tsx';

type ApiKeyProps = { program: Program; isOwner: boolean };

/** The program’s API keys, masked. Owners can create, retire and regenerate them, or require their rotation. */
export function ApiKey({ program, isOwner }: ApiKeyProps) {
  const keys = useApiQuery('manageApiKeys', { params: { program_id: program.id } });
  return (
    <>
      <TitledCard
        title="API keys"
        description="Your server uses a live key to report signups, sales and refunds. What a test key reports is a test event and counts nowhere. A key is shown in full only once, when it is created."
      >
        <QueryState query={keys} lines={2}>
          {({ data }) => (
            <div className="space-y-5">
              <ApiKeyList programId={program.id} keys={data} isOwner={isOwner} />
              {isOwner ? (
                <div className="flex flex-wrap gap-2">
                  <CreateApiKey programId={program.id} keys={data} mode="live" />
                  <CreateApiKey programId={program.id} keys={data} mode="test" />
                  <RegenerateKey programId={program.id} />
                </div>
              ) : (
                <Notice>Only workspace owners can regenerate the API key.</Notice>
              )}
            </div>
          )}
        </QueryState>
      </TitledCard>
      {isOwner && <KeyRotation programId={program.id} keys={keys.data?.data ?? []} />}
    </>
  );
}

function RegenerateKey({ programId }: { programId: number }) {
  const [isConfirming, setConfirming] = useState(false);
  const regeneration = useApiMutation('manageRegenerateKey', () => setConfirming(false));
  return (
    <>
      <Button variant="danger" onClick={() => setConfirming(true)}>
        Regenerate API key
      </Button>
      <ConfirmDialog
        title="Regenerate the API key?"
        description="All live keys stop working immediately. Until your server uses the new key, the signups, sales and refunds it reports are rejected. To avoid that, create another live key, switch your server to it, and retire the old one."
        confirmLabel="Regenerate"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => regeneration.mutate({ params: { program_id: programId } })}
        isBusy={regeneration.isPending}
        error={regeneration.error}
      />
      <NewKeyDialog apiKey={regeneration.data?.data.api_key} onClose={() => regeneration.reset()} />
    </>
  );
}
