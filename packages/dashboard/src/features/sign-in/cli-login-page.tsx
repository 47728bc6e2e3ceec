import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { idToken, signedInEmail } from '../../api/session.ts';
import { type CliLogin, settings } from '../../api/settings.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { SignInForm } from './sign-in-form.tsx';

const CLOSED: Record<Exclude<CliLogin['status'], 'open'>, { title: string; description: string }> = {
  expired: {
    title: 'This sign-in link has expired',
    description: 'Sign-in links are valid for 5 minutes. Run the command in your terminal again.',
  },
  used: {
    title: 'This sign-in link was already used',
    description: 'Return to your terminal. If it is still waiting, run the command again.',
  },
  unknown: {
    title: 'This sign-in link is not valid',
    description: 'The URL may be incomplete. Run the command in your terminal again.',
  },
};

/** Signs in the terminal that opened this page, after showing the terminal’s code. */
export function Page() {
  const { state = '' } = useSearch({ from: '/cli/login' });
  const login = settings.cli_login ?? { status: 'unknown', user_code: null };
  const [step, setStep] = useState<'sign-in' | 'confirm' | 'done'>('sign-in');
  const [email, setEmail] = useState('');
  const connection = useMutation({
    mutationFn: async () => {
      await call('cliAuthCallback', { body: { state, id_token: await idToken() } });
      setStep('done');
    },
  });

  // Users who are already signed in only have to confirm.
  useEffect(() => {
    signedInEmail()
      .then((known) => {
        if (!known) return;
        setEmail(known);
        setStep((current) => (current === 'done' ? current : 'confirm'));
      })
      .catch(() => undefined);
  }, []);

  if (login.status !== 'open') return <AuthLayout {...CLOSED[login.status]} />;
  if (step === 'done') {
    return <AuthLayout title="You’re signed in" description="Return to your terminal. You can close this page." />;
  }
  const code = <UserCode code={login.user_code ?? ''} />;
  if (step === 'confirm') {
    return (
      <AuthLayout title="Connect your terminal?" description={code}>
        <p className="mb-4">
          You’re signed in as <strong>{email}</strong>.
        </p>
        <ErrorNotice error={connection.error} />
        <div className="mt-4 space-y-3">
          <Button
            variant="primary"
            className="w-full"
            isBusy={connection.isPending}
            onClick={() => connection.mutate()}
          >
            Connect
          </Button>
          <Button variant="ghost" className="w-full" onClick={() => setStep('sign-in')}>
            Use a different account
          </Button>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Sign in to the CLI" description={code}>
      <SignInForm nextStep="continue" onSignedIn={() => connection.mutateAsync()} />
    </AuthLayout>
  );
}

function UserCode({ code }: { code: string }) {
  return (
    <>
      <p>Check that your terminal shows this code. If it doesn’t, close this page.</p>
      <p className="mt-4 rounded-lg border border-dashed border-edge py-3 text-center font-mono text-2xl font-semibold tracking-[0.12em] text-ink">
        {code}
      </p>
    </>
  );
}
