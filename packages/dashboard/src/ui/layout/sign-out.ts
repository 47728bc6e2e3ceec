import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../../api/session.ts';
import { useToast } from '../feedback/toast.tsx';

/** Ends the session and clears everything that was fetched in it; says why if the session goes on. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const toast = useToast();
  return async () => {
    try {
      await signOut();
    } catch (error) {
      return toast((error as Error).message, 'bad');
    }
    queryClient.clear();
    await navigate({ to: '/app/sign-in' });
  };
}
