import type { TokenScope } from '@svc/contract';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Time } from '../../ui/records/time.tsx';
import { CreateToken } from './create-token.tsx';

type Token = Row<'manageTokens'>;

/** The terminals, scripts and applications that act as the user, which the user can disconnect. */
export function TokenList() {
  const toast = useToast();
  const [revoking, setRevoking] = useState<Token | null>(null);
  const tokens = useApiQuery('manageTokens');
  const revocation = useApiMutation('manageRevokeToken', () => {
    setRevoking(null);
    toast('Token revoked');
  });
  return (
    <TitledCard
      title="Account tokens"
      description="Terminals, scripts and AI assistants that are signed in as you. All of them end when you change your password."
    >
      <QueryState query={tokens} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-quiet">No tokens. Create one here, or run “svc login” in a terminal.</p>
          ) : (
            <ul className="divide-y divide-line">
              {data.map((token) => (
                <TokenItem key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ul>
          )
        }
      </QueryState>
      <div className="mt-4">
        <CreateToken />
      </div>
      {revoking && (
        <ConfirmDialog
          title={`Revoke the token “${revoking.name}”?`}
          description="The terminal, script or assistant that uses it is signed out immediately. Nothing else changes."
          confirmLabel="Revoke"
          isOpen
          onClose={() => setRevoking(null)}
          onConfirm={() => revocation.mutate({ params: { token_id: revoking.id } })}
          isBusy={revocation.isPending}
          error={revocation.error}
        />
      )}
    </TitledCard>
  );
}

function whatItDoes(scopes: TokenScope[]): string {
  const reading = scopes.includes('write') ? 'reads and makes changes' : scopes.includes('read') ? 'reads only' : '';
  const reporting = scopes.includes('track') ? 'reports events' : '';
  return [reading, reporting].filter(Boolean).join(', ');
}

function TokenItem({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const {
    name,
    client,
    scopes,
    program_id: program,
    created_at: created,
    last_used_at: lastUsed,
    expires_at: expires,
  } = token;
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 text-sm">
      <div className="min-w-0">
        <div className="truncate font-medium">{name}</div>
        {scopes && (
          <div className="text-caption text-quiet">
            {client && `Application at ${client}: `}
            {whatItDoes(scopes)}
            {program !== null && ` in program ${program} only`}
          </div>
        )}
        <div className="text-caption text-quiet">
          Created <Time at={created} />,{' '}
          {lastUsed ? (
            <>
              last used <Time at={lastUsed} isRelative />
            </>
          ) : (
            'never used'
          )}
          {expires ? (
            <>
              , expires <Time at={expires} />
            </>
          ) : (
            ', does not expire'
          )}
        </div>
      </div>
      <Button size="small" className="ml-auto" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
