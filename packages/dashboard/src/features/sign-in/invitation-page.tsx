import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call, type Data } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { signedInEmail } from '../../api/session.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Failed, Skeleton } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { FrontPage } from '../../ui/layout/auth-layout.tsx';
import { SignInForm } from './sign-in-form.tsx';

type Invitation = Data<'manageLookUpInvitation'>;

/** Shows what somebody is invited to, and lets them accept it with the account they have or a new one. */
export function Page() {
  // The token is in the fragment, which browsers do not send along.
  const token = useLocation().hash;
  const found = useRead('manageLookUpInvitation', { body: { token } }, { enabled: token !== '' });
  if (token.startsWith('svc_join_') && found.error?.status === 404) {
    return <FrontPage title="This link is no longer in use" words="Ask the brand for another." />;
  }
  if (token === '' || found.error?.status === 404 || found.error?.status === 400) {
    return (
      <FrontPage
        title="This invitation is not known"
        words="The address may be cut off, or the invitation was taken back. Ask the person who invited you for a new one."
      />
    );
  }
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton />;
  const invitation = found.data.data;
  if (invitation.status !== 'open') return <ClosedInvitation invitation={invitation} />;
  return <OpenInvitation token={token} invitation={invitation} />;
}

function ClosedInvitation({ invitation: { status, workspace } }: { invitation: Invitation }) {
  return (
    <FrontPage
      title={status === 'used' ? 'This invitation was used already' : 'This invitation has expired'}
      words={status === 'used' ? 'Sign in to go on.' : `It is open for seven days. Ask ${workspace} for a new one.`}
      footer={<a href="/app">Go to the start</a>}
    />
  );
}

function OpenInvitation({ token, invitation }: { token: string; invitation: Invitation }) {
  const [email, setEmail] = useState<string | null>(null);
  const router = useRouter();
  const queries = useQueryClient();
  const accepting = useMutation({
    mutationFn: async () => {
      const { data } = await call('manageAccept', { body: { token } });
      queries.clear();
      router.history.replace(data.status === 'applied' ? '/app/applied' : '/app');
    },
  });
  useEffect(() => {
    signedInEmail()
      .then(setEmail)
      .catch(() => undefined);
  }, []);
  return (
    <FrontPage title={titleOf(invitation)} words={wordsOf(invitation)}>
      {email ? (
        <div className="space-y-3">
          <p>
            You are signed in as <strong>{email}</strong>.
          </p>
          <div role="alert">{accepting.error && <Notice tone="bad">{accepting.error.message}</Notice>}</div>
          <Button look="primary" className="w-full" isBusy={accepting.isPending} onClick={() => accepting.mutate()}>
            {invitation.email ? 'Accept the invitation' : 'Join'}
          </Button>
          <Button look="quiet" className="w-full" onClick={() => setEmail(null)}>
            Use another account
          </Button>
        </div>
      ) : (
        <SignInForm
          isNew
          email={invitation.email ?? undefined}
          invitation={token}
          andThen={invitation.email ? ' and accept' : ' and join'}
          onSignedIn={() => accepting.mutateAsync()}
        />
      )}
    </FrontPage>
  );
}

function titleOf({ role, workspace, programs }: Invitation): string {
  return role === 'partner' ? `Become a partner of ${programs.join(', ') || workspace}` : `Join ${workspace}`;
}

function wordsOf({ role, workspace, needs_approval: needsApproval }: Invitation): string {
  if (role !== 'partner') return 'You work on the partner program together, with the same numbers in front of you.';
  const gets = 'You get links of your own, and see every click, sale and commission that they bring.';
  return needsApproval ? `${gets} ${workspace} looks at applications first.` : gets;
}
