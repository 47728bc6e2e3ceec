import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { change } from '../../api/change.ts';
import { ApiError, type Data } from '../../api/client.ts';
import { fetchAhead, useApiQuery, useSingleFlight } from '../../api/hooks.ts';
import { signedInEmail } from '../../api/session.ts';
import { roleInSentence } from '../../rules/role.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { BrandLogo } from '../../ui/layout/brand-logo.tsx';
import { useBrandColor } from '../../ui/layout/brand-look.ts';
import { NextStep } from '../../ui/layout/next-step.tsx';
import { SendLink } from '../../ui/records/send-link.tsx';
import { type Answers, ApplicationFields, applicationOf } from './application-fields.tsx';
import { KnownApplicant } from './known-applicant.tsx';
import { Offers } from './offers.tsx';
import { SignInForm } from './sign-in-form.tsx';

type Invitation = Data<'manageLookUpInvitation'>;

/** Shows what an invitation or join link is for, and accepts it with an existing or a new account. */
export function Page() {
  // The token is in the fragment, which browsers do not send to the server.
  const token = useLocation().hash;
  // Another link that is opened in the same tab keeps nothing of the one before.
  return <LinkPage key={token} token={token} />;
}

function LinkPage({ token }: { token: string }) {
  const isPreview = useSearch({ from: '/invite' }).preview === 'yes';
  const lookup = useApiQuery('manageLookUpInvitation', { body: { token } }, { enabled: token !== '' });
  if (token.startsWith('svc_join_') && lookup.error?.status === 404) {
    return <AuthLayout title="You can’t join at the moment" description={lookup.error.message} footer={<NextStep />} />;
  }
  if (token === '' || lookup.error?.status === 404 || lookup.error?.status === 400) {
    return (
      <AuthLayout
        title="Invitation not found"
        description="The link may be incomplete, or the invitation was revoked. Ask the person who invited you for a new one."
        footer={<NextStep />}
      />
    );
  }
  if (lookup.error) {
    return (
      <AuthLayout title="This invitation didn’t load" footer={<NextStep />}>
        <ErrorState error={lookup.error} onRetry={() => void lookup.refetch()} />
      </AuthLayout>
    );
  }
  if (!lookup.data) return <Skeleton />;
  const invitation = lookup.data.data;
  if (invitation.status !== 'open') return <ClosedInvitation invitation={invitation} />;
  return <OpenInvitation token={token} invitation={invitation} isPreview={isPreview} />;
}

function ClosedInvitation({ invitation: { status, workspace } }: { invitation: Invitation }) {
  const isUsed = status === 'used';
  return (
    <AuthLayout
      title={isUsed ? 'This invitation was already used' : 'This invitation has expired'}
      description={
        isUsed ? 'Sign in to continue.' : `Invitations are valid for 7 days. Ask ${workspace} for a new one.`
      }
      footer={<NextStep />}
    />
  );
}

type OpenInvitationProps = { token: string; invitation: Invitation; isPreview: boolean };

function OpenInvitation({ token, invitation, isPreview }: OpenInvitationProps) {
  const [email, setEmail] = useState<string | null>(null);
  // A preview shows what strangers see, to people who are signed in.
  const [isKnown, setKnown] = useState(isPreview);
  const [answers, setAnswers] = useState<Answers>({});
  const router = useRouter();
  const queryClient = useQueryClient();
  const { offers } = invitation;
  const [offer] = offers;
  const isJoinLink = invitation.expires_at === null;
  useBrandColor(offer?.brand_color);
  const showAccount = () => {
    // Those of the account before.
    queryClient.removeQueries({ queryKey: ['manageApplications'] });
    return signedInEmail().then(setEmail, () => undefined);
  };
  const flight = useSingleFlight();
  const acceptance = useMutation({
    mutationFn: async () => {
      const { data } = await change('manageAccept', { body: { token, ...applicationOf(offers, answers) } });
      queryClient.clear();
      router.history.replace(data.status === 'applied' ? '/app/applied' : '/app');
    },
    // A person who has just created an account is signed in now, and should not be asked to create it again.
    onError: () => void showAccount(),
    onSettled: flight.end,
  });
  const accept = flight.guard(() => acceptance.mutate());
  useEffect(() => {
    if (isPreview) return;
    const showKnown = async () => {
      const address = await signedInEmail();
      if (address && isJoinLink) await fetchAhead(queryClient, 'manageApplications');
      setEmail(address);
    };
    void showKnown()
      .catch(() => undefined)
      .then(() => setKnown(true));
  }, [isPreview, isJoinLink, queryClient]);
  // A person who signs in may have answered and accepted before, so it is asked afterwards.
  const acceptsAtOnce = (isNew: boolean) => isNew || !asksQuestions(invitation);
  const fields = <ApplicationFields offers={offers} answers={answers} onChange={setAnswers} />;
  // The card is in the middle of the screen, so it would move when what is at its end becomes known.
  if (!isKnown) return <Skeleton />;
  return (
    <AuthLayout
      title={titleOf(invitation)}
      description={descriptionOf(invitation)}
      logo={offer && <BrandLogo brand={offer} className="size-12" />}
    >
      {isPreview && (
        <div className="mb-6">
          <Notice tone="warn">This is a preview of the saved page. Nothing can be sent from here.</Notice>
        </div>
      )}
      {offers.length > 0 && (
        <div className="mb-6 rounded-xl bg-accent-soft p-4">
          <Offers offers={offers} />
        </div>
      )}
      {email && !isFor(invitation, email) ? (
        <div className="space-y-3">
          <p>
            This invitation is for <strong>{invitation.email}</strong>, but you’re signed in as <strong>{email}</strong>
            .
          </p>
          <Button variant="primary" className="w-full" onClick={() => setEmail(null)}>
            Use a different account
          </Button>
        </div>
      ) : email ? (
        <KnownApplicant invitation={invitation}>
          <Form guardsChanges={asksQuestions(invitation)} error={acceptance.error} onSubmit={accept}>
            <p>
              You’re signed in as <strong>{email}</strong>.
            </p>
            {fields}
            {acceptance.error instanceof ApiError && acceptance.error.status === 403 && <ConfirmAddress />}
            <Button type="submit" variant="primary" className="w-full" isBusy={acceptance.isPending}>
              {invitation.expires_at ? 'Accept invitation' : joinLabel(invitation)}
            </Button>
            <Button variant="ghost" className="w-full" onClick={() => setEmail(null)}>
              Use a different account
            </Button>
          </Form>
        </KnownApplicant>
      ) : (
        <fieldset disabled={isPreview} className="min-w-0">
          <SignInForm
            isNew
            name={invitation.name ?? undefined}
            email={invitation.email ?? undefined}
            invitation={token}
            isEmailFixed={!invitation.open_link && invitation.email !== null}
            nextStep={(isNew) => (acceptsAtOnce(isNew) ? stepOf(invitation) : 'continue')}
            onSignedIn={(isNew) => (acceptsAtOnce(isNew) ? acceptance.mutateAsync() : showAccount())}
            newFields={fields}
          />
        </fieldset>
      )}
    </AuthLayout>
  );
}

/** For accounts whose address is not confirmed, which is why they may not accept an invitation to it. */
function ConfirmAddress() {
  const user = useApiQuery('manageMe').data?.data.user;
  if (!user || user.email_verified) return null;
  return (
    <div className="space-y-2 rounded-lg bg-sunken p-3.5 text-sm">
      <p>Open the link that we send to {user.email}. Then come back here and accept the invitation.</p>
      <SendLink />
    </div>
  );
}

/** What happens after signing in, as a verb. */
const stepOf = (invitation: Invitation) => (invitation.expires_at ? 'accept' : joinLabel(invitation).toLowerCase());

/** Whether there is something to answer or to accept. */
const asksQuestions = ({ offers }: Invitation) =>
  offers.some(({ questions, agreement }) => questions.length > 0 || agreement !== null);

const joinLabel = ({ needs_approval: needsApproval }: Invitation) => (needsApproval ? 'Apply' : 'Join');

/** Whether the account may accept the invitation. The server decides; this only avoids a pointless attempt. */
function isFor({ open_link: isOpenLink, email }: Invitation, address: string): boolean {
  return isOpenLink || email === null || email.toLowerCase() === address.toLowerCase();
}

function titleOf({ role, workspace, programs }: Invitation): string {
  return role === 'partner' ? `Become a partner of ${programs.join(', ') || workspace}` : `Join ${workspace}`;
}

function descriptionOf({ role, workspace, programs, needs_approval: needsApproval }: Invitation): string {
  if (role !== 'partner') return `You’ll join the team as ${roleInSentence(role)}.`;
  const benefits = 'Get your own links and see the clicks, sales and commissions they bring.';
  return needsApproval ? `${benefits} ${programs[0] ?? workspace} reviews applications first.` : benefits;
}
