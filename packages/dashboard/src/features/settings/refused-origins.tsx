import { POLL_MS, useApiQuery } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Time } from '../../ui/records/time.tsx';
import type { Program } from './settings-form.tsx';

type Props = { program: Program; isBusy: boolean; onAllow: (origin: string) => void };

/** Origins whose calls were refused lately, each with a button to allow it. */
export function RefusedOrigins({ program, isBusy, onAllow }: Props) {
  const refused = useApiQuery('manageRefusedCalls', { params: { program_id: program.id } }, { refetchMs: POLL_MS });
  const origins = byOrigin(refused.data?.data ?? []).filter(({ origin }) => !program.allowed_origins.includes(origin));
  if (origins.length === 0) return null;
  return (
    <section className="mt-6" aria-label="Refused origins">
      <h3 className="font-medium">Refused in the last 7 days</h3>
      <p className="mt-1 text-sm text-quiet">
        Pages on these origins tried to report clicks or signups. Anyone can send such calls, so allow only origins that
        you recognize.
      </p>
      <ul className="mt-3 divide-y divide-line rounded-lg border border-line">
        {origins.map(({ origin, calls, lastAt }) => (
          <li key={origin} className="flex flex-wrap items-center justify-between gap-3 py-1.5 pr-2 pl-4">
            <span className="min-w-0">
              <span className="font-mono text-caption break-all">{origin}</span>
              <span className="block text-xs text-quiet">
                {calls === 1 ? '1 call' : `${calls.toLocaleString('en')} calls`}, last <Time at={lastAt} isRelative />
              </span>
            </span>
            {URL.canParse(origin) && (
              <Button size="small" aria-label={`Allow ${origin}`} onClick={() => onAllow(origin)} isBusy={isBusy}>
                Allow
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type RefusedCall = { reason: string; origin: string; calls: number; last_at: string };

/** Clicks and leads of one origin together, the latest first. */
function byOrigin(rows: RefusedCall[]): { origin: string; calls: number; lastAt: string }[] {
  const origins = new Map<string, { origin: string; calls: number; lastAt: string }>();
  for (const { reason, origin, calls, last_at: lastAt } of rows) {
    if (reason !== 'origin_not_allowed' || origin === '') continue;
    const known = origins.get(origin) ?? { origin, calls: 0, lastAt };
    origins.set(origin, { origin, calls: known.calls + calls, lastAt: known.lastAt });
  }
  return [...origins.values()];
}
