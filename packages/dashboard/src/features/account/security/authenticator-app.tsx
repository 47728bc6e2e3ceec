import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../../../api/client.ts';
import { renewRecoveryCodes, turnOffApp } from '../../../api/second-factors.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { useFactorsChanged } from './factors-changed.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { SetUpAppDialog } from './set-up-app-dialog.tsx';

const FEW_CODES = 3;

/** The authenticator app of the account: set it up, get new recovery codes, turn it off. */
export function AuthenticatorApp({ factors }: { factors: Data<'manageSecondFactors'> }) {
  const [dialog, setDialog] = useState<'set up' | 'new codes' | 'turn off' | null>(null);
  const isOn = factors.authenticator_app;
  const left = factors.recovery_codes_left ?? 0;
  return (
    <TitledCard
      title="Authenticator app"
      description="After your password, you enter a code that an app on your phone shows."
      action={<Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}
    >
      {isOn ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className={`text-sm ${left <= FEW_CODES ? 'text-warn' : 'text-quiet'}`}>
            {left === 1 ? '1 recovery code left.' : `${left} recovery codes left.`}
          </p>
          <span className="ml-auto flex flex-wrap gap-2">
            <Button size="small" onClick={() => setDialog('new codes')}>
              New recovery codes
            </Button>
            <Button size="small" variant="danger" onClick={() => setDialog('turn off')}>
              Turn off
            </Button>
          </span>
        </div>
      ) : (
        <Button onClick={() => setDialog('set up')}>Set up authenticator app</Button>
      )}
      {dialog === 'set up' && <SetUpAppDialog onClose={() => setDialog(null)} />}
      {dialog === 'new codes' && <NewCodesDialog onClose={() => setDialog(null)} />}
      {dialog === 'turn off' && <TurnOffDialog onClose={() => setDialog(null)} />}
    </TitledCard>
  );
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const refresh = useFactorsChanged();
  const renewal = useMutation({
    mutationFn: renewRecoveryCodes,
    onSuccess: refresh,
  });
  if (renewal.data) return <RecoveryCodesDialog codes={renewal.data} onClose={onClose} />;
  return (
    <PasswordDialog
      title="Get new recovery codes?"
      description="The codes you have now stop working."
      submitLabel="Get new codes"
      error={renewal.error}
      isBusy={renewal.isPending}
      onSubmit={(password) => renewal.mutate(password)}
      onClose={onClose}
    />
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const refresh = useFactorsChanged();
  const removal = useMutation({
    mutationFn: turnOffApp,
    onSuccess: async () => {
      toast('Authenticator app turned off');
      onClose();
      await refresh();
    },
  });
  return (
    <PasswordDialog
      title="Turn off the authenticator app?"
      description="Its codes and your recovery codes stop working. Unless you have a passkey, your password alone is enough to sign in."
      submitLabel="Turn off"
      isDanger
      error={removal.error}
      isBusy={removal.isPending}
      onSubmit={(password) => removal.mutate(password)}
      onClose={onClose}
    />
  );
}
