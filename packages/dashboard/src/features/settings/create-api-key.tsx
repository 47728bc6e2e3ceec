import { type KeyMode, MAX_KEYS } from '@svc/contract';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

const TEXTS = {
  live: {
    button: 'Create live key',
    title: 'Create another live key?',
    description: 'The keys that you have keep working. Switch your server to the new one, then retire the old one.',
  },
  test: {
    button: 'Create test key',
    title: 'Create a test key?',
    description:
      'Everything that is reported with it is a test event, whatever the request says. It can’t read live data.',
  },
} satisfies Record<KeyMode, object>;

type CreateApiKeyProps = { programId: number; keys: Row<'manageApiKeys'>[]; mode: KeyMode };

/** Creates a key beside the others, as long as there are not too many. */
export function CreateApiKey({ programId, keys, mode }: CreateApiKeyProps) {
  const [isConfirming, setConfirming] = useState(false);
  const creation = useApiMutation('manageAddApiKey', () => setConfirming(false));
  const { button, title, description } = TEXTS[mode];
  const isFull = keys.filter((key) => key.mode === mode).length >= MAX_KEYS;
  return (
    <>
      {!isFull && <Button onClick={() => setConfirming(true)}>{button}</Button>}
      <ConfirmDialog
        title={title}
        description={description}
        confirmLabel="Create key"
        variant="primary"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => creation.mutate({ params: { program_id: programId }, body: { mode } })}
        isBusy={creation.isPending}
        error={creation.error}
      />
      <NewKeyDialog apiKey={creation.data?.data.api_key} onClose={() => creation.reset()} />
    </>
  );
}
