import { OPTIONAL_MAILS } from '@svc/contract';
import { Link, useLocation } from '@tanstack/react-router';
import { useApiMutation } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';

/** Switches off the kind of mail that the link came with. Nobody has to sign in for that. */
export function Page() {
  // The token is in the fragment, which browsers do not send to the server.
  const token = useLocation().hash;
  const unsubscription = useApiMutation('manageUnsubscribe');
  const footer = <Link to="/app/account">All email settings</Link>;
  const done = unsubscription.data?.data;
  if (done) {
    return (
      <AuthLayout
        title="You’re unsubscribed"
        description={
          <>
            We’ll no longer send you this kind of email: <strong>{OPTIONAL_MAILS[done.kind]}</strong>.
          </>
        }
        footer={footer}
      />
    );
  }
  return (
    <AuthLayout
      title="Unsubscribe"
      description="We’ll no longer send you these emails. You can turn them back on in your account settings."
      footer={footer}
    >
      <Form
        guardsChanges={false}
        error={unsubscription.error}
        onSubmit={() => unsubscription.mutate({ query: { token } })}
      >
        <Button type="submit" variant="primary" className="w-full" isBusy={unsubscription.isPending}>
          Unsubscribe
        </Button>
      </Form>
    </AuthLayout>
  );
}
