import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { Time } from '../../ui/records/time.tsx';

type Key = Row<'manageApiKeys'>;
type ApiKeyListProps = { programId: number; keys: Key[]; isOwner: boolean };

/** The keys that work, each with its last use. Owners can retire those that are no longer needed. */
export function ApiKeyList({ programId, keys, isOwner }: ApiKeyListProps) {
  const toast = useToast();
  const [retiring, setRetiring] = useState<Key | null>(null);
  const retirement = useApiMutation('manageRetireApiKey', () => {
    setRetiring(null);
    toast('API key retired');
  });
  const liveKeys = keys.filter(({ mode }) => mode === 'live').length;
  const canRetire = ({ mode }: Key) => isOwner && (mode === 'test' || liveKeys > 1);
  return (
    <>
      <ul className="divide-y divide-line">
        {keys.map((key) => (
          <KeyItem key={key.id} item={key} onRetire={canRetire(key) ? () => setRetiring(key) : undefined} />
        ))}
      </ul>
      {retiring && (
        <ConfirmDialog
          title={`Retire ${retiring.api_key_masked}?`}
          description={
            <>
              <LastUse item={retiring} />. What is reported with it is rejected from now on. This can’t be undone.
            </>
          }
          confirmLabel="Retire key"
          isOpen
          onClose={() => setRetiring(null)}
          onConfirm={() => retirement.mutate({ params: { program_id: programId, key_id: retiring.id } })}
          isBusy={retirement.isPending}
          error={retirement.error}
        />
      )}
    </>
  );
}

function KeyItem({ item, onRetire }: { item: Key; onRetire: (() => void) | undefined }) {
  const { mode, api_key_masked: masked, created_at: created, rotate_by: rotateBy } = item;
  return (
    <li className="flex items-center gap-3 py-3 text-sm">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2">
          <span className="font-mono">{masked}</span>
          <Badge tone={mode === 'test' ? 'accent' : 'good'}>{mode === 'test' ? 'Test' : 'Live'}</Badge>
        </div>
        <div className="text-caption text-quiet">
          Created <Time at={created} />. <LastUse item={item} />
          {rotateBy && (
            <>
              . Replace it by <Time at={rotateBy} />
            </>
          )}
        </div>
      </div>
      {onRetire && (
        <Button size="small" aria-label={`Retire ${masked}`} onClick={onRetire}>
          Retire
        </Button>
      )}
    </li>
  );
}

function LastUse({ item: { last_used_at: lastUsed } }: { item: Key }) {
  if (!lastUsed) return 'Never used';
  return (
    <>
      Last used <Time at={lastUsed} isRelative />
    </>
  );
}
