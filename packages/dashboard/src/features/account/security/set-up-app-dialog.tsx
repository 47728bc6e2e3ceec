import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { type AppSetup, giveCode, startAppSetup } from '../../../api/second-factors.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { CodeBlock } from '../../../ui/forms/copy.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { useFactorsChanged } from './factors-changed.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';

/** Sets up an authenticator app: the password, the QR code with a first code, and the recovery codes. */
export function SetUpAppDialog({ onClose }: { onClose: () => void }) {
  const [isVerified, setVerified] = useState(false);
  const start = useMutation({ mutationFn: startAppSetup });
  const setup = start.data;
  if (!setup) {
    return (
      <PasswordDialog
        title="Set up an authenticator app"
        description="You need an app such as 1Password, Google Authenticator or Aegis. First, enter your password."
        submitLabel="Continue"
        error={start.error}
        isBusy={start.isPending}
        onSubmit={(password) => start.mutate(password)}
        onClose={onClose}
      />
    );
  }
  if (isVerified) return <RecoveryCodesDialog codes={setup.recoveryCodes} onClose={onClose} />;
  return <ScanDialog setup={setup} onVerified={() => setVerified(true)} onClose={onClose} />;
}

type ScanDialogProps = { setup: AppSetup; onVerified: () => void; onClose: () => void };

function ScanDialog({ setup: { uri }, onVerified, onClose }: ScanDialogProps) {
  const toast = useToast();
  const refresh = useFactorsChanged();
  const verification = useMutation({
    mutationFn: giveCode,
    onSuccess: async () => {
      toast('Authenticator app set up');
      onVerified();
      await refresh();
    },
  });
  const image = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
  const key = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <Dialog
      title="Scan this code with your app"
      description="Your app then shows a code that changes every 30 seconds."
      isOpen
      onClose={onClose}
    >
      <img
        src={image}
        alt="QR code for your authenticator app"
        className="mx-auto w-52 rounded-lg border border-line bg-white"
      />
      <p className="mt-4 mb-1.5 text-sm text-quiet">Can’t scan it? Enter this key in the app instead:</p>
      <CodeBlock text={key} label="Copy key" />
      <div className="mt-4">
        <Form guardsChanges={false} error={verification.error} onSubmit={({ code = '' }) => verification.mutate(code)}>
          <TextField
            label="Code that the app shows"
            name="code"
            required
            maxLength={20}
            inputMode="numeric"
            autoComplete="one-time-code"
            className="font-mono"
          />
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="primary" isBusy={verification.isPending}>
              Turn on
            </Button>
          </DialogActions>
        </Form>
      </div>
    </Dialog>
  );
}
