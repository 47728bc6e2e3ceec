import { Navigate } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { Loaded } from '../ui/loaded.tsx';
import { brandPath, portalPath } from '../ui/place.ts';

/** Sends people where they belong: to their program, their partner portal, or the first step. */
export function Page() {
  const programs = useRead('managePrograms');
  if (programs.error?.status === 401) return <Navigate to="/app/sign-in" replace />;
  return (
    <main>
      <Loaded read={programs}>
        {({ data }) => {
          const own = data.find(({ role }) => role !== 'partner');
          const joined = data.find(({ role }) => role === 'partner');
          if (own) return <Navigate to={brandPath(own.id)} replace />;
          return <Navigate to={joined ? portalPath(joined.id) : '/app/start'} replace />;
        }}
      </Loaded>
    </main>
  );
}
