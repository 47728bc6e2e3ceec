import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { Proof } from '../../api/confirmation.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { giveCode, givePasskey, giveRecoveryCode, hasPasskeySupport, provePassword } from '../../api/second-factors.ts';
import { Button } from '../forms/button.tsx';
import { CurrentPassword } from '../forms/current-password.tsx';
import { Dialog, DialogActions } from '../forms/dialog.tsx';
import { TextField } from '../forms/field.tsx';
import { Form } from '../forms/form.tsx';

type ConfirmIdentityProps = { proof: Proof; onClose: (isConfirmed: boolean) => void };

const DESCRIPTIONS: Record<Proof, string> = {
  anything: 'For your security, please confirm your identity. You won’t be asked again for ten minutes.',
  'second factor': 'This changes your second factors, so your password isn’t enough. Use one of them once more.',
};

/** Asks users to prove who they are, with whatever they have, or with a second factor. */
export default function ConfirmIdentity({ proof, onClose }: ConfirmIdentityProps) {
  return (
    <Dialog title="Confirm it’s you" description={DESCRIPTIONS[proof]} isOpen onClose={() => onClose(false)}>
      <ProofForm
        needsFactor={proof === 'second factor'}
        onProven={() => onClose(true)}
        onCancel={() => onClose(false)}
      />
    </Dialog>
  );
}

type ProofProps = { needsFactor: boolean; onProven: () => void; onCancel: () => void };

const giveEitherCode = (code: string) => (/^[\d\s-]{6,8}$/.test(code.trim()) ? giveCode(code) : giveRecoveryCode(code));

function ProofForm({ needsFactor, onProven, onCancel }: ProofProps) {
  const factors = useApiQuery('manageSecondFactors').data?.data;
  const [prefersCode, setPrefersCode] = useState(false);
  const givesCode = needsFactor ? factors?.authenticator_app === true : prefersCode;
  const givesPassword = !needsFactor && !givesCode;
  const typed = useMutation({
    mutationFn: ({ password, code }: Record<string, string>) =>
      givesCode ? giveEitherCode(code ?? '') : provePassword(password ?? ''),
    onSuccess: onProven,
  });
  const passkey = useMutation({ mutationFn: givePasskey, onSuccess: onProven });
  const toggle = () => {
    typed.reset();
    setPrefersCode(!prefersCode);
  };
  return (
    <Form
      key={String(givesCode)}
      guardsChanges={false}
      error={typed.error ?? passkey.error}
      onSubmit={(values) => typed.mutate(values)}
      label="Confirm it’s you"
    >
      {givesCode && (
        <TextField
          label={
            needsFactor ? 'Code from your authenticator app, or a recovery code' : 'Code from your authenticator app'
          }
          name="code"
          required
          autoFocus
          maxLength={40}
          inputMode={needsFactor ? 'text' : 'numeric'}
          autoComplete="one-time-code"
        />
      )}
      {givesPassword && <CurrentPassword />}
      <div className="flex flex-wrap gap-2">
        {factors?.authenticator_app && !needsFactor && (
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
        {(givesCode || givesPassword) && (
          <Button type="submit" variant="primary" isBusy={typed.isPending}>
            Confirm
          </Button>
        )}
      </DialogActions>
    </Form>
  );
}
