import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call, type Data } from '../../api/client.ts';
import { idToken, signedInEmail } from '../../api/session.ts';
import { type CliLogin, settings } from '../../api/settings.ts';
import { roleInSentence } from '../../rules/role.ts';
import { Skeleton } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { NextStep } from '../../ui/layout/next-step.tsx';
import { ForAccount } from './for-account.tsx';
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

/** Signs in the terminal that opened this page, once the user has typed the code that the terminal shows. */
export function Page() {
  const { state = '' } = useSearch({ from: '/cli/login' });
  const login = settings.cli_login ?? { status: 'unknown', device_name: null };
  const [step, setStep] = useState<'asking' | 'sign-in' | 'confirm' | 'done'>('asking');

  // Users who are already signed in only have to confirm.
  useEffect(() => {
    signedInEmail()
      .then((known) => setStep(known ? 'confirm' : 'sign-in'))
      .catch(() => setStep('sign-in'));
  }, []);

  if (login.status !== 'open') return <AuthLayout {...CLOSED[login.status]} footer={<NextStep guide="cli" />} />;
  if (step === 'asking') return <Skeleton />;
  if (step === 'done') {
    return (
      <AuthLayout
        title="Your terminal is connected"
        description="Return to your terminal. You can close this page. To disconnect the terminal later, open Account settings."
        footer={<Link to="/app/account">Account settings</Link>}
      />
    );
  }
  if (step === 'confirm') {
    return (
      <ForAccount>
        {(me, refetch) => (
          <Confirmation
            state={state}
            deviceName={login.device_name}
            me={me}
            onAccountChange={refetch}
            onDone={() => setStep('done')}
            onOtherAccount={() => setStep('sign-in')}
          />
        )}
      </ForAccount>
    );
  }
  return (
    <AuthLayout title="Sign in to the CLI" description="Then you connect your terminal to your account.">
      <SignInForm nextStep={() => 'continue'} onSignedIn={() => setStep('confirm')} />
    </AuthLayout>
  );
}

const OTHER_ACCOUNT =
  'You have signed in with another account in the meantime. Check which account this page shows now, then connect again.';

type ConfirmationProps = {
  state: string;
  deviceName: string | null;
  me: Data<'manageMe'>;
  /** Called when the session turns out to be another account’s than the one that is shown. */
  onAccountChange: () => void;
  onDone: () => void;
  onOtherAccount: () => void;
};

/** Asks for the code, which only someone who sees the terminal knows, and says what the terminal gets access to. */
function Confirmation({ state, deviceName, me, onAccountChange, onDone, onOtherAccount }: ConfirmationProps) {
  const connection = useMutation({
    mutationFn: async (code: string) => {
      const token = await idToken();
      if ((await signedInEmail()) !== me.user.email) {
        onAccountChange();
        throw new Error(OTHER_ACCOUNT);
      }
      await call('cliAuthCallback', { body: { state, id_token: token, user_code: code } });
      onDone();
    },
  });
  return (
    <AuthLayout
      title="Connect your terminal?"
      description="Only continue if you have just started a sign-in in your own terminal. If someone sent you this link, close this page."
    >
      <p className="mb-4 text-sm">
        {deviceName ? (
          <>
            The terminal says that it runs on <strong>{deviceName}</strong>. It
          </>
        ) : (
          'The terminal'
        )}{' '}
        will be able to do everything that <strong>{me.user.email}</strong> can do
        {me.workspace && (
          <>
            {' '}
            as {roleInSentence(me.role)} of the workspace <strong>{me.workspace}</strong>
          </>
        )}
        , for 90 days or until you revoke it.
      </p>
      <Form
        guardsChanges={false}
        error={connection.error}
        onSubmit={({ user_code: code = '' }) => connection.mutate(code)}
      >
        <TextField
          label="Code shown in your terminal"
          name="user_code"
          required
          maxLength={20}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-mono uppercase"
          hint="Eight letters, such as BCDF-GHJK."
        />
        <Button type="submit" variant="primary" className="w-full" isBusy={connection.isPending}>
          Connect
        </Button>
        <Button variant="ghost" className="w-full" isBusy={connection.isPending} onClick={onOtherAccount}>
          Use a different account
        </Button>
      </Form>
    </AuthLayout>
  );
}
