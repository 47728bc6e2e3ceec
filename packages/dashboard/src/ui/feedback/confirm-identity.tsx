import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { giveCode, givePasskey, hasPasskeySupport, provePassword } from '../../api/second-factors.ts';
import { Button } from '../forms/button.tsx';
import { CurrentPassword } from '../forms/current-password.tsx';
import { Dialog, DialogActions } from '../forms/dialog.tsx';
import { TextField } from '../forms/field.tsx';
import { Form } from '../forms/form.tsx';

/** Asks users to prove who they are, with whatever they have. */
export default function ConfirmIdentity({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  return (
    <Dialog
      title="Confirm it’s you"
      description="For your security, please confirm your identity. You won’t be asked again for ten minutes."
      isOpen
      onClose={() => onClose(false)}
    >
      <Proof onProven={() => onClose(true)} onCancel={() => onClose(false)} />
    </Dialog>
  );
}

type ProofProps = { onProven: () => void; onCancel: () => void };

function Proof({ onProven, onCancel }: ProofProps) {
  const factors = useApiQuery('manageSecondFactors').data?.data;
  const [givesCode, setGivesCode] = useState(false);
  const typed = useMutation({
    mutationFn: ({ password, code }: Record<string, string>) =>
      givesCode ? giveCode(code ?? '') : provePassword(password ?? ''),
    onSuccess: onProven,
  });
  const passkey = useMutation({ mutationFn: givePasskey, onSuccess: onProven });
  const toggle = () => {
    typed.reset();
    setGivesCode(!givesCode);
  };
  return (
    <Form
      key={String(givesCode)}
      error={typed.error ?? passkey.error}
      onSubmit={(values) => typed.mutate(values)}
      label="Confirm it’s you"
    >
      {givesCode ? (
        <TextField
          label="Code from your authenticator app"
          name="code"
          required
          autoFocus
          maxLength={20}
          inputMode="numeric"
          autoComplete="one-time-code"
        />
      ) : (
        <CurrentPassword />
      )}
      <div className="flex flex-wrap gap-2">
        {factors?.authenticator_app && (
          <Button size="small" variant="ghost" onClick={toggle}>
            {givesCode ? 'Use your password' : 'Use a code'}
          </Button>
        )}
        {factors && factors.passkeys.length > 0 && hasPasskeySupport() && (
          <Button size="small" variant="ghost" isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
            <KeyRound size={15} aria-hidden /> Use a passkey
          </Button>
        )}
      </div>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" isBusy={typed.isPending}>
          Confirm
        </Button>
      </DialogActions>
    </Form>
  );
}
