import { Plus, Trash2 } from 'lucide-react';
import { useAction } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { useFilters } from '../../ui/layout/urls.ts';
import type { Program } from './settings-form.tsx';

const WHILE_DEVELOPING = ['http://localhost:3000', 'http://localhost:5173', 'http://127.0.0.1:3000'];

/** Pages that may report clicks and signups beside those of the program's own site. */
export function Origins({ program }: { program: Program }) {
  const say = useToast();
  const [search] = useFilters();
  const asked = originOf(search.origin);
  const allowed = program.allowed_origins;
  const saving = useAction('manageUpdateProgram', () => say('Saved'));
  const save = (origins: string[], onSuccess?: () => void) =>
    saving.mutate({ params: { program_id: program.id }, body: { allowed_origins: origins } }, { onSuccess });
  const suggestions = WHILE_DEVELOPING.filter((origin) => !allowed.includes(origin));
  return (
    <TitledCard
      title="Allowed origins"
      words={`https://${program.domain} and its https subdomains are always allowed. Scheme, host and port must match exactly: localhost and 127.0.0.1 are two.`}
    >
      {asked && !allowed.includes(asked) && (
        <div className="mb-5">
          <Notice>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <span>
                A page on <strong>{asked}</strong> wants to report to this program.
              </span>
              <Button size="small" look="primary" onClick={() => save([...allowed, asked])} isBusy={saving.isPending}>
                Add this origin
              </Button>
            </div>
          </Notice>
        </div>
      )}
      <ul aria-label="Allowed origins" className="mb-5 max-w-xl divide-y divide-line rounded-lg border border-line">
        <li className="px-4 py-2.5 font-mono text-[0.8125rem] text-quiet">
          https://{program.domain}, https://*.{program.domain}
        </li>
        {allowed.map((origin) => (
          <li key={origin} className="flex items-center justify-between gap-3 py-1.5 pr-2 pl-4">
            <span className="font-mono text-[0.8125rem] break-all">{origin}</span>
            <Button
              size="small"
              look="quiet"
              aria-label={`Remove ${origin}`}
              onClick={() => save(allowed.filter((one) => one !== origin))}
            >
              <Trash2 size={15} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <Form
        className="max-w-xl space-y-4"
        error={saving.error}
        onSubmit={({ origin = '' }, form) => save([...allowed, origin.trim()], () => form.reset())}
      >
        <div className="flex items-end gap-2">
          <div className="flex-1">
            <TextField label="Another origin" name="origin" required placeholder="https://shop.example.com" />
          </div>
          <Button type="submit" isBusy={saving.isPending}>
            <Plus size={16} aria-hidden /> Add
          </Button>
        </div>
      </Form>
      {suggestions.length > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-2 text-sm text-quiet">
          While developing:
          {suggestions.map((origin) => (
            <Button key={origin} size="small" aria-label={`Add ${origin}`} onClick={() => save([...allowed, origin])}>
              {origin}
            </Button>
          ))}
        </div>
      )}
    </TitledCard>
  );
}

/** The origin that the address names, so that a link can lead to adding it; what is none is left out. */
function originOf(text: string | undefined): string | null {
  const url = text && URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url.origin : null;
}
