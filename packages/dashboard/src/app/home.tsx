import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { signedInEmail } from '../api/session.ts';
import { Loaded } from '../ui/loaded.tsx';
import { brandPath, portalPath } from '../ui/place.ts';

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
  return (
    <Loaded read={programs}>
      {({ data }) => {
        const own = data.find(({ role }) => role !== 'partner');
        const joined = data.find(({ role }) => role === 'partner');
        if (own) return <Navigate to={brandPath(own.id)} replace />;
        return <Navigate to={joined ? portalPath(joined.id) : '/app/start'} replace />;
      }}
    </Loaded>
  );
}
