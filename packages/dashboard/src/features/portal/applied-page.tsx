import { Link, Navigate } from '@tanstack/react-router';
import type { Data } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button, buttonClass } from '../../ui/forms/button.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { useSignOut } from '../../ui/layout/sign-out.ts';
import { Answers } from '../../ui/records/answers.tsx';

const POLL_MS = 15_000;

/** For people whose application is pending. Once the brand has decided, they are redirected. */
export function Page() {
  const me = useApiQuery('manageMe', {}, { refetchMs: POLL_MS });
  const signOut = useSignOut();
  return (
    <QueryState query={me}>
      {({ data: { partner_of: memberships, advertiser_id: workspaceId, user } }) => {
        const pending = memberships.filter(({ status }) => status === 'applied').map(({ name }) => name);
        if (pending.length === 0) return <Navigate to="/app" replace />;
        const isPartner = memberships.some(({ status }) => status === 'active');
        return (
          <AuthLayout
            title="Application sent"
            description={`${pending.join(', ')} will review your application. ${howTheyHear(user)}`}
          >
            <SentAnswers />
            <div className="flex flex-wrap gap-2">
              {isPartner && (
                <Link to="/app" className={buttonClass()}>
                  Go to your programs
                </Link>
              )}
              <Link to="/app/account" className={buttonClass()}>
                Account settings
              </Link>
              {!isPartner && workspaceId !== null && (
                <Link to="/app/start" className={buttonClass({ variant: 'ghost' })}>
                  Create your own program
                </Link>
              )}
              <Button variant="ghost" onClick={() => void signOut()}>
                Sign out
              </Button>
            </div>
          </AuthLayout>
        );
      }}
    </QueryState>
  );
}

/** How an applicant learns what the brand has decided. Optional mail goes to confirmed addresses only. */
function howTheyHear({ email, email_verified: isConfirmed }: Data<'manageMe'>['user']): string {
  if (settings.mail && isConfirmed) return `We’ll email ${email} when they decide. You can close this page.`;
  if (settings.mail)
    return 'Confirm your email address and we’ll tell you when they decide, or come back later: you’ll be taken to the partner portal once you’re approved.';
  return 'Keep this page open or come back later: you’ll be taken to the partner portal once you’re approved.';
}

/** What the applicant answered, for each brand that has not decided yet. */
function SentAnswers() {
  const applications = useApiQuery('manageApplications').data?.data ?? [];
  const sent = applications.filter(({ status, answers }) => status === 'applied' && answers.length > 0);
  return sent.map(({ program_id: id, name, answers }) => (
    <section key={id} aria-label={`Your answers to ${name}`} className="mb-6 rounded-xl border border-line p-4">
      <Answers answers={answers} />
    </section>
  ));
}
