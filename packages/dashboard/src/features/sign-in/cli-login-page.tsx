import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { idToken, signedInEmail } from '../../api/session.ts';
import { type CliLogin, settings } from '../../api/settings.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { FrontPage } from '../../ui/layout/auth-layout.tsx';
import { useFilters } from '../../ui/layout/urls.ts';
import { SignInForm } from './sign-in-form.tsx';

const CLOSED: Record<Exclude<CliLogin['status'], 'open'>, [title: string, words: string]> = {
  expired: ['This sign-in has expired', 'It is open for five minutes. Run the command in your terminal again.'],
  used: [
    'This sign-in was used already',
    'You can go back to your terminal. If it still waits, run the command again.',
  ],
  unknown: ['This sign-in is not known', 'The address may be cut off. Run the command in your terminal again.'],
};

/** The page behind a terminal's address: shows the terminal's code, signs the person in, and says to go back. */
export function Page() {
  const [{ state = '' }] = useFilters();
  const login = settings.cli_login ?? { status: 'unknown', user_code: null };
  const [step, setStep] = useState<'sign-in' | 'confirm' | 'done'>('sign-in');
  const [email, setEmail] = useState('');
  const connecting = useMutation({
    mutationFn: async () => {
      await call('cliAuthCallback', { body: { state, id_token: await idToken() } });
      setStep('done');
    },
  });

  // Somebody who is signed in already only has to say that it is their terminal.
  useEffect(() => {
    signedInEmail()
      .then((known) => {
        if (!known) return;
        setEmail(known);
        setStep((now) => (now === 'done' ? now : 'confirm'));
      })
      .catch(() => undefined);
  }, []);

  if (login.status !== 'open') {
    const [title, words] = CLOSED[login.status];
    return <FrontPage title={title} words={words} />;
  }
  if (step === 'done') {
    return <FrontPage title="You are signed in" words="Go back to your terminal. You can close this page." />;
  }
  if (step === 'confirm') {
    return (
      <FrontPage title="Connect your terminal?" words={<Code code={login.user_code ?? ''} />}>
        <p className="mb-4">
          You are signed in as <strong>{email}</strong>.
        </p>
        <div role="alert">{connecting.error && <Notice tone="bad">{connecting.error.message}</Notice>}</div>
        <div className="mt-4 space-y-3">
          <Button look="primary" className="w-full" isBusy={connecting.isPending} onClick={() => connecting.mutate()}>
            Connect
          </Button>
          <Button look="quiet" className="w-full" onClick={() => setStep('sign-in')}>
            Use another account
          </Button>
        </div>
      </FrontPage>
    );
  }
  return (
    <FrontPage title="Sign in to the command line" words={<Code code={login.user_code ?? ''} />}>
      <SignInForm andThen=" and continue" onSignedIn={() => connecting.mutateAsync()} />
    </FrontPage>
  );
}

function Code({ code }: { code: string }) {
  return (
    <>
      <p>Your terminal shows this code. If it does not, close this page.</p>
      <p className="mt-4 rounded-lg border border-dashed border-edge py-3 text-center font-mono text-2xl font-semibold tracking-[0.12em] text-ink">
        {code}
      </p>
    </>
  );
}
