import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { signedInEmail } from '../../api/session.ts';
import { safeNext } from '../../rules/search.ts';
import { FrontPage } from '../../ui/layout/auth-layout.tsx';
import { useFilters } from '../../ui/layout/urls.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Sign-in and sign-up; afterwards people are where they wanted to go. */
export function Page() {
  const { pathname } = useLocation();
  const [{ next }] = useFilters();
  const router = useRouter();
  const queries = useQueryClient();
  const [isNew, setNew] = useState(pathname.endsWith('sign-up'));

  useEffect(() => {
    signedInEmail()
      .then((email) => email && router.history.replace(safeNext(next)))
      .catch(() => undefined);
  }, [next, router]);

  const enter = () => {
    queries.clear();
    router.history.replace(safeNext(next));
  };
  return (
    <FrontPage
      title={isNew ? 'Create your account' : 'Sign in'}
      words={
        isNew
          ? 'Track what partners bring you, pay them exactly, and see why for every single sale.'
          : 'Welcome back to your partner program.'
      }
    >
      <SignInForm isNew={isNew} onSwitch={setNew} onSignedIn={enter} />
    </FrontPage>
  );
}
