import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { giveCode, givePasskey, giveRecoveryCode, hasPasskeySupport } from '../../api/second-factors.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type SecondStepProps = {
  /** Whether the account has an authenticator app, and so recovery codes; otherwise it has a passkey. */
  hasApp: boolean;
  onSignedIn: () => void | Promise<void>;
  onStartOver: () => void;
};

/** Asks for the second factor, after the password. */
export function SecondStep({ hasApp, onSignedIn, onStartOver }: SecondStepProps) {
  const [isRecovering, setRecovering] = useState(false);
  const typed = useMutation({
    mutationFn: async (code: string) => {
      await (isRecovering ? giveRecoveryCode(code) : giveCode(code));
      await onSignedIn();
    },
  });
  const toggle = () => {
    typed.reset();
    setRecovering(!isRecovering);
  };
  return (
    <Form
      key={String(isRecovering)}
      guardsChanges={false}
      error={typed.error}
      onSubmit={({ code = '' }) => typed.mutate(code)}
      label="Second factor"
    >
      {hasApp ? (
        <>
          <CodeField isRecovering={isRecovering} />
          <Button type="submit" variant="primary" className="w-full" isBusy={typed.isPending}>
            Continue
          </Button>
        </>
      ) : (
        <p className="text-sm">Your password is right. Now use the passkey that you added to your account.</p>
      )}
      <PasskeyButton isPrimary={!hasApp} onSignedIn={onSignedIn} />
      {hasApp && (
        <Button variant="ghost" className="w-full" onClick={toggle}>
          {isRecovering ? 'Use a code from your app' : 'Use a recovery code'}
        </Button>
      )}
      <Button variant="ghost" className="w-full" onClick={onStartOver}>
        Start over
      </Button>
    </Form>
  );
}

function CodeField({ isRecovering }: { isRecovering: boolean }) {
  const common = { name: 'code', required: true, autoFocus: true };
  if (isRecovering) {
    return (
      <TextField
        {...common}
        label="Recovery code"
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        hint="One of the codes you saved when you set up your authenticator app. Each works once."
      />
    );
  }
  return (
    <TextField
      {...common}
      label="Code from your authenticator app"
      maxLength={20}
      inputMode="numeric"
      autoComplete="one-time-code"
      className="font-mono"
      hint="Six digits that change every 30 seconds."
    />
  );
}

type PasskeyButtonProps = { isPrimary?: boolean; onSignedIn: () => void | Promise<void> };

/** Signs in with a passkey, which needs no password. */
export function PasskeyButton({ isPrimary = false, onSignedIn }: PasskeyButtonProps) {
  const use = useMutation({
    mutationFn: async () => {
      await givePasskey();
      await onSignedIn();
    },
  });
  if (!hasPasskeySupport()) {
    return isPrimary ? <Notice tone="warn">This browser does not support passkeys. Use another one.</Notice> : null;
  }
  return (
    <>
      <Button
        variant={isPrimary ? 'primary' : 'secondary'}
        className="w-full"
        isBusy={use.isPending}
        onClick={() => use.mutate()}
      >
        <KeyRound size={16} aria-hidden /> Use a passkey
      </Button>
      <div role="alert" className="empty:hidden">
        {use.error && <Notice tone="bad">{use.error.message}</Notice>}
      </div>
    </>
  );
}
