import { Link, Navigate } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
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
      {({ data: { partner_of: memberships, advertiser_id: workspaceId } }) => {
        const pending = memberships.filter(({ status }) => status === 'applied').map(({ name }) => name);
        if (pending.length === 0) return <Navigate to="/app" replace />;
        const isPartner = memberships.some(({ status }) => status === 'active');
        return (
          <AuthLayout
            title="Application sent"
            description={`${pending.join(', ')} will review your application. Keep this page open or come back later: you’ll be taken to the partner portal once you’re approved.`}
          >
            <SentAnswers />
            <div className="flex flex-wrap gap-2">
              {(isPartner || workspaceId !== null) && (
                <Link to={isPartner ? '/app' : '/app/start'} className={buttonClass()}>
                  {isPartner ? 'Go to your programs' : 'Create your own program'}
                </Link>
              )}
              <Link to="/app/account" className={buttonClass()}>
                Account settings
              </Link>
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
