import { Navigate } from '@tanstack/react-router';
import { useProgramId } from '../../ui/layout/program-id.ts';

/** The URL of a program leads to its overview. */
export function Page() {
  return <Navigate to="/app/programs/$programId/overview" params={{ programId: useProgramId() }} replace />;
}
