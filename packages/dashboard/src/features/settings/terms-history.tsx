import { COMMISSION_TYPES, COMMISSIONABLE_AMOUNTS, describeSettings } from '@svc/contract';
import type { Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Time } from '../../ui/records/time.tsx';

type Version = Row<'manageTerms'>;

const MAX_VERSIONS = 10;

/** The latest versions of the commission rules, newest first. */
export function TermsHistory({ programId }: { programId: number }) {
  const terms = useApiQuery('manageTerms', { params: { program_id: programId }, query: { limit: MAX_VERSIONS } });
  return (
    <TitledCard
      title="History of commission rules"
      description="Each payment earns what was agreed when it was made, even if it is reported later."
    >
      <QueryState query={terms} lines={2}>
        {({ data }) => (
          <ol className="divide-y divide-line rounded-lg border border-line">
            {data.map((version) => (
              <li key={version.version} className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
                <span>
                  <span className="font-medium">{describeSettings(version)}</span>
                  <span className="block text-caption text-quiet">{detailsOf(version)}</span>
                </span>
                <span className="text-caption text-quiet sm:text-right">
                  Version {version.version}, {Date.parse(version.effective_from) > Date.now() ? 'from' : 'since'}{' '}
                  <Time at={version.effective_from} />
                  {version.made_by && <span className="block">by {version.made_by}</span>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </QueryState>
    </TitledCard>
  );
}

function detailsOf({ commission_type: type, commission_base: base, hold_days: days }: Version): string {
  const isPercent = COMMISSION_TYPES[type].basis === 'percent';
  return [...(isPercent ? [COMMISSIONABLE_AMOUNTS[base].label] : []), `${days}-day hold`].join(', ');
}
