import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../../api/session.ts';

/** Ends the session and clears everything that was fetched in it. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return async () => {
    await signOut();
    queryClient.clear();
    await navigate({ to: '/app/sign-in' });
  };
}
