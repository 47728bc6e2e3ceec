import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';

/** Whether everyone in the workspace needs a second factor. Owners decide. */
export function SecondFactorRule({ missing }: { missing: number }) {
  const toast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const workspace = useApiQuery('manageWorkspace');
  const update = useApiMutation('manageUpdateWorkspace', ({ second_factor_required: isRequired }) => {
    setConfirming(false);
    toast(isRequired ? 'A second factor is now required' : 'A second factor is no longer required');
  });
  const change = (isRequired: boolean) => update.mutate({ body: { second_factor_required: isRequired } });
  return (
    <TitledCard
      title="Second factor"
      description="An authenticator app or a passkey, so that a stolen password is not enough to get in."
    >
      <QueryState query={workspace} lines={1}>
        {({ data: { second_factor_required: isRequired } }) => (
          <div className="flex flex-wrap items-center gap-3 text-sm">
            <p>{isRequired ? 'Everyone in this workspace needs one.' : 'Everyone decides for themselves.'}</p>
            <Button size="small" className="ml-auto" onClick={() => setConfirming(true)}>
              {isRequired ? 'Stop requiring it' : 'Require it'}
            </Button>
            <ConfirmDialog
              title={isRequired ? 'Stop requiring a second factor?' : 'Require a second factor?'}
              description={isRequired ? 'Those who have one keep it.' : consequence(missing)}
              confirmLabel={isRequired ? 'Stop requiring it' : 'Require it'}
              variant={isRequired ? 'danger' : 'primary'}
              isOpen={isConfirming}
              onClose={() => {
                update.reset();
                setConfirming(false);
              }}
              onConfirm={() => change(!isRequired)}
              isBusy={update.isPending}
              error={update.error}
            />
          </div>
        )}
      </QueryState>
    </TitledCard>
  );
}

function consequence(missing: number): string {
  if (missing === 0) return 'Everyone in this workspace has one already. New members set one up when they join.';
  const who = missing === 1 ? '1 person has' : `${missing} people have`;
  return `${who} none yet. Until they set one up, they can’t do anything in this workspace, and their account tokens are refused.`;
}
