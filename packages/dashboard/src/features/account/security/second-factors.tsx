import { useApiQuery } from '../../../api/hooks.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkeys.tsx';

/** What the account asks for besides its password. */
export function SecondFactors() {
  const factors = useApiQuery('manageSecondFactors');
  return (
    <QueryState query={factors}>
      {({ data }) => (
        <>
          <AuthenticatorApp factors={data} />
          <Passkeys factors={data} />
        </>
      )}
    </QueryState>
  );
}
