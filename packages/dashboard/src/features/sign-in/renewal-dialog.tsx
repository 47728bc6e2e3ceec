import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type NextStep, signedInEmail, signIn } from '../../api/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { PasskeyButton, SecondStep } from './second-step.tsx';

type SignInAgainProps = { email: string; onClose: (isSignedIn: boolean) => void };

/** Signs in to the same account over the page, after its session has ended. */
export default function SignInAgain({ email, onClose }: SignInAgainProps) {
  const [needed, setNeeded] = useState<NextStep>('none');
  const signedIn = async () => {
    // A passkey may belong to another account, whose data has no place on this page.
    if ((await signedInEmail()) === email) onClose(true);
    else location.reload();
  };
  const submission = useMutation({
    mutationFn: async (password: string) => {
      const next = await signIn({ email, password });
      if (next === 'none') await signedIn();
      else setNeeded(next);
    },
  });
  return (
    <Dialog
      title="Sign in again"
      description="Your session has ended. Sign in, and continue where you were: what you entered is still there."
      isOpen
      onClose={() => onClose(false)}
    >
      {needed === 'none' ? (
        <Form
          onSubmit={({ password = '' }) => submission.mutate(password)}
          error={submission.error}
          label="Sign in again"
          guardsChanges={false}
        >
          <TextField label="Email" name="email" type="email" autoComplete="username" defaultValue={email} readOnly />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={128}
            required
            autoFocus
          />
          <PasskeyButton onSignedIn={signedIn} />
          <DialogActions>
            <Button onClick={() => onClose(false)}>Leave this page</Button>
            <Button type="submit" variant="primary" isBusy={submission.isPending}>
              Sign in
            </Button>
          </DialogActions>
        </Form>
      ) : (
        <SecondStep hasApp={needed === 'code'} onSignedIn={signedIn} onStartOver={() => setNeeded('none')} />
      )}
    </Dialog>
  );
}
