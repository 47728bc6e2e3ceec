import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { signedInEmail } from '../../api/session.ts';
import { settings } from '../../api/settings.ts';
import { safeNext } from '../../rules/search.ts';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Sign-in and sign-up. Afterwards users continue to the page they came from. */
export function Page() {
  const { pathname } = useLocation();
  const [{ next }] = useSearchParams();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [isNew, setNew] = useState(pathname.endsWith('sign-up') || settings.first_start === true);

  useEffect(() => {
    signedInEmail()
      .then((email) => email && router.history.replace(safeNext(next)))
      .catch(() => undefined);
  }, [next, router]);

  const continueToNext = () => {
    settings.first_start = false;
    queryClient.clear();
    router.history.replace(safeNext(next));
  };
  return (
    <AuthLayout
      title={isNew ? 'Create your account' : 'Sign in'}
      description={
        isNew
          ? 'Track referrals, pay your partners, and see why each sale was attributed.'
          : next
            ? 'Sign in to continue where you left off.'
            : 'Welcome back to your partner program.'
      }
    >
      <SignInForm isNew={isNew} onModeChange={setNew} onSignedIn={continueToNext} />
    </AuthLayout>
  );
}
