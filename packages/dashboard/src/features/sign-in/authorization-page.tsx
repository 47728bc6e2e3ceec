import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError, type Data } from '../../api/client.ts';
import { approveApplication, signedInEmail } from '../../api/session.ts';
import { type Authorization, type AuthorizationMistake, settings } from '../../api/settings.ts';
import { roleInSentence } from '../../rules/role.ts';
import { Skeleton } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { NextStep } from '../../ui/layout/next-step.tsx';
import { ForAccount } from './for-account.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** What the user can allow. The first one is preselected, so that nobody allows changes by accident. */
const CHOICES = [
  ['read', 'Read only'],
  ['read write', 'Read and make changes'],
] as const;

const NOT_VALID = 'This request for access is not valid';
const UNKNOWN: AuthorizationMistake = { message: 'Start again in the application.', client: null };

/** Asks the user whether an application, such as an AI assistant, may act as them. */
export function Page() {
  const asked = settings.authorization;
  const [step, setStep] = useState<'asking' | 'sign-in' | 'consent' | 'allowed' | 'denied'>('asking');

  // Users who are already signed in only have to decide.
  useEffect(() => {
    signedInEmail()
      .then((known) => setStep(known ? 'consent' : 'sign-in'))
      .catch(() => setStep('sign-in'));
  }, []);

  if (!asked) return <Mistake mistake={settings.authorization_mistake ?? UNKNOWN} />;
  if (step === 'asking') return <Skeleton />;
  if (step === 'allowed' || step === 'denied') return <Decided asked={asked} decision={step} />;
  if (step === 'consent') {
    return (
      <ForAccount>
        {(me, refetch) => <Consent asked={asked} me={me} onOtherAccount={refetch} onNext={setStep} />}
      </ForAccount>
    );
  }
  return (
    <AuthLayout
      title="Sign in"
      description={`${asked.client_name} asks for access to your account. You decide after you have signed in.`}
    >
      <SignInForm nextStep={() => 'continue'} onSignedIn={() => setStep('consent')} />
    </AuthLayout>
  );
}

/** What was decided. Applications with a scheme of their own open beside this page, which stays. */
function Decided({ asked, decision }: { asked: Authorization; decision: 'allowed' | 'denied' }) {
  const isLeaving = /^https?:/.test(asked.denied_url);
  const next = isLeaving ? `Taking you back to ${asked.client_address}…` : 'Return to the application.';
  const name = <strong>{asked.client_name}</strong>;
  return (
    <AuthLayout
      title={decision === 'allowed' ? 'You allowed this request' : 'You denied this request'}
      description={
        decision === 'allowed' ? (
          <>
            {next} If the application that calls itself {name} has not connected, start again there. To revoke its
            access later, open Account settings.
          </>
        ) : (
          <>
            {next} The application that calls itself {name} gets no access through this request. Anything that you
            allowed it earlier stays until you revoke it in Account settings.
          </>
        )
      }
      footer={<Link to="/app/account">Account settings</Link>}
    />
  );
}

/** Anyone can register an application, so nobody is sent on to one that made a mistake without having decided to. */
function Mistake({ mistake: { message, client } }: { mistake: AuthorizationMistake }) {
  if (!client) return <AuthLayout title={NOT_VALID} description={message} footer={<NextStep guide="mcp" />} />;
  return (
    <AuthLayout
      title={NOT_VALID}
      description={`An application that calls itself ${client.name} made a mistake: ${message}.`}
      footer={<NextStep guide="mcp" />}
    >
      <p className="text-sm">
        Start again in the application. If this happens again, tell the people who make it. You can{' '}
        <a className="text-accent underline" href={client.url} rel="noreferrer">
          return to {client.address}
        </a>{' '}
        with this message, but only do that if you know the application.
      </p>
    </AuthLayout>
  );
}

type ConsentProps = {
  asked: Authorization;
  me: Data<'manageMe'>;
  /** Called when the session turns out to be another account’s than the one that is shown. */
  onOtherAccount: () => void;
  onNext: (step: 'sign-in' | 'allowed' | 'denied') => void;
};

function Consent({ asked, me, onOtherAccount, onNext }: ConsentProps) {
  const approval = useMutation({
    mutationFn: async (allowed: Record<string, string>) => {
      location.assign(await approveApplication({ ...asked.request, ...allowed }, me.user.email));
      onNext('allowed');
    },
    onError: (error) => error instanceof ApiError && error.status === 409 && onOtherAccount(),
  });
  const deny = () => {
    location.assign(asked.denied_url);
    onNext('denied');
  };
  const mayChange = asked.scopes.includes('write');
  return (
    <AuthLayout
      title={`Allow ${asked.client_name} to access your account?`}
      description="Only continue if you have just connected this application yourself. If someone sent you this link, close this page."
    >
      <p className="mb-4 text-sm">
        This application calls itself <strong>{asked.client_name}</strong> and sends you back to{' '}
        <strong>{asked.client_address}</strong>. {mayChange ? 'It asks to use' : 'It asks to read with'} the tools for
        AI assistants as <strong>{me.user.email}</strong>
        {me.workspace && (
          <>
            , {roleInSentence(me.role)} of the workspace <strong>{me.workspace}</strong>
          </>
        )}
        , for 90 days or until you revoke it in Account settings. It can’t change keys, the team or your account, and
        can’t confirm payments.
      </p>
      <Form guardsChanges={false} error={approval.error} onSubmit={(allowed) => approval.mutate(allowed)}>
        {mayChange && <SelectField label="What it may do" name="scope" options={CHOICES} />}
        <Button type="submit" variant="primary" className="w-full" isBusy={approval.isPending}>
          Allow access
        </Button>
        <Button variant="secondary" className="w-full" isBusy={approval.isPending} onClick={deny}>
          Deny
        </Button>
        <Button variant="ghost" className="w-full" isBusy={approval.isPending} onClick={() => onNext('sign-in')}>
          Use a different account
        </Button>
      </Form>
    </AuthLayout>
  );
}
