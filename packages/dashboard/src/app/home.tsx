import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useApiQuery } from '../api/hooks.ts';
import { signedInEmail } from '../api/session.ts';
import { settings } from '../api/settings.ts';
import { QueryState } from '../ui/feedback/query-state.tsx';

/** Redirects to the sign-in page, a program, the partner portal or the first step of a new account. */
export function Page() {
  const email = useQuery({ queryKey: ['signed-in'], queryFn: signedInEmail });
  return (
    <main>
      <QueryState query={email}>
        {(known) =>
          known ? (
            <SignedInRedirect />
          ) : (
            <Navigate to={settings.first_start ? '/app/sign-up' : '/app/sign-in'} replace />
          )
        }
      </QueryState>
    </main>
  );
}

/** A workspace may require a second factor before anything else. */
function SignedInRedirect() {
  const me = useApiQuery('manageMe');
  return (
    <QueryState query={me}>
      {({ data }) => (data.needs_second_factor ? <Navigate to="/app/account" replace /> : <ProgramRedirect />)}
    </QueryState>
  );
}

function ProgramRedirect() {
  const programs = useApiQuery('managePrograms');
  return (
    <QueryState query={programs}>
      {({ data }) => {
        const owned = data.find(({ role }) => role !== 'partner');
        // Those who look after several programs start with all of them.
        if (data.filter(({ role, status }) => role !== 'partner' && status !== 'archived').length > 1) {
          return <Navigate to="/app/programs" replace />;
        }
        const joined = data.find(({ role }) => role === 'partner');
        if (owned) return <Navigate to="/app/programs/$programId/overview" params={{ programId: owned.id }} replace />;
        if (joined) return <Navigate to="/app/portal/$programId/overview" params={{ programId: joined.id }} replace />;
        return <FirstStepRedirect />;
      }}
    </QueryState>
  );
}

/** Applicants wait for the brand’s approval; everyone else creates a program. */
function FirstStepRedirect() {
  const me = useApiQuery('manageMe');
  return (
    <QueryState query={me}>
      {({ data: { partner_of: memberships } }) => {
        const hasApplied = memberships.some(({ status }) => status === 'applied');
        return <Navigate to={hasApplied ? '/app/applied' : '/app/start'} replace />;
      }}
    </QueryState>
  );
}
