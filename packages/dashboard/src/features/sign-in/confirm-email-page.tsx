import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { signedInEmail } from '../../api/session.ts';
import { Skeleton } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { SignInForm } from './sign-in-form.tsx';

const DONE = {
  verified: ['Your email address is confirmed', 'Thank you. There is nothing else to do.'],
  waiting: ['One more confirmation', 'Now open the link in the email that we sent to your other address.'],
  changed: ['Your email address has changed', 'From now on, sign in with the new address.'],
} as const;

/** Confirms an address with a mailed link. The account that it belongs to has to be signed in. */
export function Page() {
  // The token is in the fragment, which browsers do not send to the server.
  const token = useLocation().hash;
  const queryClient = useQueryClient();
  const [email, setEmail] = useState<string | null>();
  const confirmation = useApiMutation('manageConfirmEmail');
  const showAccount = () => signedInEmail().then(setEmail, () => setEmail(null));
  useEffect(() => void signedInEmail().then(setEmail, () => setEmail(null)), []);
  const footer = <Link to="/app/account">Account settings</Link>;

  const status = confirmation.data?.data.status;
  if (status) {
    const [title, description] = DONE[status];
    return <AuthLayout title={title} description={description} footer={footer} />;
  }
  if (token === '' || confirmation.error?.status === 404 || confirmation.error?.status === 409) {
    return (
      <AuthLayout
        title="This link doesn’t work"
        description={confirmation.error?.message ?? 'The link is incomplete. Copy all of it from the email.'}
        footer={footer}
      />
    );
  }
  if (email === undefined) return <Skeleton />;
  if (email === null) {
    return (
      <AuthLayout title="Sign in to confirm your address" description="Use the account that the email is about.">
        <SignInForm
          onSignedIn={() => {
            queryClient.clear();
            return showAccount();
          }}
        />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Confirm your email address"
      description={
        <>
          You’re signed in as <strong>{email}</strong>.
        </>
      }
    >
      <Form guardsChanges={false} error={confirmation.error} onSubmit={() => confirmation.mutate({ body: { token } })}>
        <Button type="submit" variant="primary" className="w-full" isBusy={confirmation.isPending}>
          Confirm
        </Button>
        <Button variant="ghost" className="w-full" onClick={() => setEmail(null)}>
          Use a different account
        </Button>
      </Form>
    </AuthLayout>
  );
}
