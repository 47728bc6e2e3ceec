import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { resetPassword } from '../../api/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';

/** Sets a new password with a link from a mail, or from the operator. */
export function Page() {
  // The token is in the fragment, which browsers do not send to the server.
  const token = useLocation().hash;
  const reset = useMutation({ mutationFn: (newPassword: string) => resetPassword({ token, newPassword }) });
  if (reset.isSuccess) {
    return (
      <AuthLayout
        title="Your new password is set"
        description="You’ve been signed out everywhere, and account tokens have ended. Sign in with the new password."
        footer={<Link to="/app/sign-in">Sign in</Link>}
      />
    );
  }
  if (token === '' || isLinkGone(reset.error)) {
    return (
      <AuthLayout
        title="This link has expired"
        description="Links for a new password work once, for one hour. This one is incomplete, was used, or has expired."
        footer={<Link to="/app/sign-in">Back to sign-in</Link>}
      >
        <Link to="/app/forgot-password" className="text-accent underline">
          Get a new link
        </Link>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Choose a new password"
      description="You’ll be signed out everywhere, and account tokens of the CLI and of scripts end."
    >
      <Form guardsChanges={false} error={reset.error} onSubmit={({ newPassword = '' }) => reset.mutate(newPassword)}>
        <TextField
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={128}
          hint="At least 8 characters."
        />
        <p className="text-sm text-quiet">
          Invitations that you sent to partners keep working. If you had never confirmed your email address, this also
          ends your invitations to the team, your second factors and your payout method.
        </p>
        <Button type="submit" variant="primary" className="w-full" isBusy={reset.isPending}>
          Set new password
        </Button>
      </Form>
    </AuthLayout>
  );
}

const isLinkGone = (error: Error | null) => error instanceof ApiError && error.code === 'INVALID_TOKEN';
