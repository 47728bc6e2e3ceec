import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { requestPasswordReset } from '../../api/session.ts';
import { settings } from '../../api/settings.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';

const backToSignIn = <Link to="/app/sign-in">Back to sign-in</Link>;

/** Asks for a link that sets a new password. */
export function Page() {
  const request = useMutation({ mutationFn: requestPasswordReset });
  if (!settings.mail) {
    return (
      <AuthLayout
        title="Forgot your password?"
        description="This installation doesn’t send email. Ask the person who runs it for a link that sets a new password."
        footer={backToSignIn}
      >
        <p className="text-sm text-quiet">
          They create it with{' '}
          <code>
            svc-server reset-password <span className="whitespace-nowrap">--email</span>
          </code>{' '}
          and your email address.
        </p>
      </AuthLayout>
    );
  }
  if (request.isSuccess) {
    return (
      <AuthLayout
        title="Check your email"
        description={
          <>
            If <strong>{request.variables}</strong> has an account, we’ve sent it a link. It works once, for one hour.
          </>
        }
        footer={backToSignIn}
      >
        <Button className="w-full" onClick={() => request.reset()}>
          Send it again
        </Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      description="We’ll email you a link to choose a new one. Until you do, nothing changes. A new password signs you out everywhere and ends account tokens of the CLI and of scripts."
      footer={backToSignIn}
    >
      <Form guardsChanges={false} error={request.error} onSubmit={({ email = '' }) => request.mutate(email)}>
        <TextField label="Email" name="email" type="email" autoComplete="username" required maxLength={255} />
        <p className="text-sm text-quiet">
          If you have never confirmed your email address, it also ends your invitations to the team, your second factors
          and your payout method. Invitations that you sent to partners keep working.
        </p>
        <Button type="submit" variant="primary" className="w-full" isBusy={request.isPending}>
          Send link
        </Button>
      </Form>
    </AuthLayout>
  );
}
