import { withoutWww } from '@svc/contract';
import { useSearch } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useApiMutation } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { RefusedOrigins } from './refused-origins.tsx';
import type { Program } from './settings-form.tsx';

const LOCAL_ORIGINS = ['http://localhost:3000', 'http://localhost:5173', 'http://127.0.0.1:3000'];

/** Origins that may report clicks and signups and that links may lead to, besides the program’s own website. */
export function Origins({ program }: { program: Program }) {
  const toast = useToast();
  const search = useSearch({ from: '/app/programs/$programId/settings' });
  const requested = originOf(search.origin);
  const allowed = program.allowed_origins;
  const update = useApiMutation('manageUpdateProgram', () => toast('Changes saved'));
  const save = (origins: string[], onSuccess?: () => void) =>
    update.mutate({ params: { program_id: program.id }, body: { allowed_origins: origins } }, { onSuccess });
  const suggestions = LOCAL_ORIGINS.filter((origin) => !allowed.includes(origin));
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
      <ul aria-label="Allowed origins" className="mb-5 divide-y divide-line rounded-lg border border-line">
        <li className="px-4 py-2.5 font-mono text-caption text-quiet">
          https://{program.domain}, https://*.{program.domain}
        </li>
        {allowed.map((origin) => (
          <li key={origin} className="flex items-center justify-between gap-3 py-1.5 pr-2 pl-4">
            <span className="font-mono text-caption break-all">{origin}</span>
            <Button
              size="small"
              variant="ghost"
              aria-label={`Remove ${origin}`}
              onClick={() => save(allowed.filter((other) => other !== origin))}
            >
              <Trash2 size={15} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <Form
        className="space-y-4"
        error={update.error}
        onSubmit={({ allowed_origins: origin = '' }, form) => save([...allowed, origin.trim()], () => form.reset())}
      >
        <div className="flex items-end gap-2">
          <div className="flex-1">
            <TextField label="Add an origin" name="allowed_origins" required placeholder="https://shop.example.com" />
          </div>
          <Button type="submit" isBusy={update.isPending}>
            <Plus size={16} aria-hidden /> Add
          </Button>
        </div>
      </Form>
      {suggestions.length > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-2 text-sm text-quiet">
          For local development:
          {suggestions.map((origin) => (
            <Button key={origin} size="small" aria-label={`Add ${origin}`} onClick={() => save([...allowed, origin])}>
              {origin}
            </Button>
          ))}
        </div>
      )}
      <RefusedOrigins program={program} isBusy={update.isPending} onAllow={(origin) => save([...allowed, origin])} />
    </TitledCard>
  );
}

/** The origin of a URL, so that a link to this page can propose it; null when it has none. */
function originOf(text: string | undefined): string | null {
  const url = text && URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url.origin : null;
}
