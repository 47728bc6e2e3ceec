import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { Data } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { signedInEmail } from '../api/session.ts';
import { Loaded } from '../ui/feedback/query-state.tsx';
import { brandPath, portalPath } from '../ui/layout/urls.ts';

/** Sends people where they belong: to the sign-in, to their program, their partner portal, or the first step. */
export function Page() {
  const email = useQuery({ queryKey: ['signed-in'], queryFn: signedInEmail });
  return (
    <main>
      <Loaded read={email}>{(known) => (known ? <OwnPlace /> : <Navigate to="/app/sign-in" replace />)}</Loaded>
    </main>
  );
}

function OwnPlace() {
  const programs = useRead('managePrograms');
  const me = useRead('manageMe');
  return (
    <Loaded read={programs}>
      {({ data }) => {
        const own = data.find(({ role }) => role !== 'partner');
        const joined = data.find(({ role }) => role === 'partner');
        if (own) return <Navigate to={brandPath(own.id)} replace />;
        if (joined) return <Navigate to={portalPath(joined.id)} replace />;
        return (
          <Loaded read={me}>{({ data: { partner_of } }) => <Navigate to={firstStepOf(partner_of)} replace />}</Loaded>
        );
      }}
    </Loaded>
  );
}

/** Somebody who came to be a partner waits for the brand; everybody else starts a program of their own. */
function firstStepOf(partnerOf: Data<'manageMe'>['partner_of']): string {
  return partnerOf.some(({ status }) => status === 'applied') ? '/app/applied' : '/app/start';
}
