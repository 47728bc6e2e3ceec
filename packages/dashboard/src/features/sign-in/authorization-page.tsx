import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { approveApplication, signedInEmail } from '../../api/session.ts';
import { type Authorization, settings } from '../../api/settings.ts';
import { roleInSentence } from '../../rules/role.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Asks the user whether an application, such as an AI assistant, may act as them. */
export function Page() {
  const asked = settings.authorization;
  const [isSignedIn, setSignedIn] = useState(false);

  useEffect(() => {
    signedInEmail()
      .then((known) => known && setSignedIn(true))
      .catch(() => undefined);
  }, []);

  if (!asked) return <AuthLayout title="This link is not valid" description="Start again in the application." />;
  if (isSignedIn) return <Consent asked={asked} onOtherAccount={() => setSignedIn(false)} />;
  return (
    <AuthLayout
      title="Sign in"
      description={`${asked.client_name} asks for access to your account. You decide after you have signed in.`}
    >
      <SignInForm nextStep={() => 'continue'} onSignedIn={() => setSignedIn(true)} />
    </AuthLayout>
  );
}

function Consent({ asked, onOtherAccount }: { asked: Authorization; onOtherAccount: () => void }) {
  const me = useApiQuery('manageMe').data?.data;
  const approval = useMutation({
    mutationFn: async () => location.assign(await approveApplication(asked.request)),
  });
  return (
    <AuthLayout
      title={`Allow ${asked.client_name} to access your account?`}
      description="Only continue if you have just connected this application yourself. If someone sent you this link, close this page."
    >
      <p className="mb-4 text-sm">
        This application calls itself <strong>{asked.client_name}</strong> and sends you back to{' '}
        <strong>{asked.client_address}</strong>. It will be able to do everything that{' '}
        <strong>{me?.user.email ?? 'your account'}</strong> can do
        {me?.workspace && (
          <>
            {' '}
            as {roleInSentence(me.role)} of the workspace <strong>{me.workspace}</strong>
          </>
        )}
        , for 90 days or until you revoke it in Account settings.
      </p>
      <Form error={approval.error} onSubmit={() => approval.mutate()}>
        <Button type="submit" variant="primary" className="w-full" isBusy={approval.isPending}>
          Allow access
        </Button>
        <Button variant="secondary" className="w-full" onClick={() => location.assign(asked.denied_url)}>
          Deny
        </Button>
        <Button variant="ghost" className="w-full" onClick={onOtherAccount}>
          Use a different account
        </Button>
      </Form>
    </AuthLayout>
  );
}
