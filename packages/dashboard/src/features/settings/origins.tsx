import { withoutWww } from '@svc/contract';
import { useSearch } from '@tanstack/react-router';
import { useApiMutation } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { RefusedOrigins } from './refused-origins.tsx';
import type { Program } from './settings-form.tsx';
import { ValueList } from './value-list.tsx';

const LOCAL_ORIGINS = ['http://localhost:3000', 'http://localhost:5173', 'http://127.0.0.1:3000'].map((value) => ({
  value,
  label: value,
}));

/** Origins that may report clicks and signups and that links may lead to, besides the program’s own website. */
export function Origins({ program }: { program: Program }) {
  const toast = useToast();
  const search = useSearch({ from: '/app/programs/$programId/settings' });
  const requested = originOf(search.origin);
  const allowed = program.allowed_origins;
  const update = useApiMutation('manageUpdateProgram', () => toast('Changes saved'));
  const save = (origins: string[], onSuccess?: () => void) =>
    update.mutate({ params: { program_id: program.id }, body: { allowed_origins: origins } }, { onSuccess });
  return (
    <TitledCard
      title="Allowed origins"
      description={`Pages of these origins may report clicks and signups, and partners’ links may lead to them. https://${withoutWww(program.domain)} and its HTTPS subdomains are always allowed. Other origins must match exactly, including the scheme and port: localhost and 127.0.0.1 are different origins.`}
    >
      {requested && !allowed.includes(requested) && (
        <div className="mb-5">
          <Notice>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <span>
                Allow <strong>{requested}</strong> to report clicks and signups to this program?
              </span>
              <Button
                size="small"
                variant="primary"
                onClick={() => save([...allowed, requested])}
                isBusy={update.isPending}
              >
                Allow origin
              </Button>
            </div>
          </Notice>
        </div>
      )}
      <ValueList
        title="Allowed origins"
        fixed={`https://${program.domain}, https://*.${program.domain}`}
        values={allowed}
        field={{ name: 'allowed_origins', label: 'Add an origin', placeholder: 'https://shop.example.com' }}
        suggestions={{ title: 'For local development:', values: LOCAL_ORIGINS }}
        error={update.error}
        isBusy={update.isPending}
        onSave={save}
      />
      <RefusedOrigins program={program} isBusy={update.isPending} onAllow={(origin) => save([...allowed, origin])} />
    </TitledCard>
  );
}

/** The origin of a URL, so that a link to this page can propose it; null when it has none. */
function originOf(text: string | undefined): string | null {
  const url = text && URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url.origin : null;
}
