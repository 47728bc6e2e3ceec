import { ATTRIBUTIONS, COMMISSION_TYPES, COMMISSIONABLE_AMOUNTS } from '@svc/contract';
import { useSearch } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { Pager } from '../../ui/lists/pager.tsx';
import { Time } from '../../ui/records/time.tsx';
import { RuleList, type Version } from './rule-list.tsx';
import { isScheduled, WithdrawButton } from './withdraw-button.tsx';

/** All versions of the commission rules, newest first. */
export function VersionList({ programId }: { programId: number }) {
  const { cursor } = useSearch({ from: '/app/programs/$programId/terms' });
  const [limit] = usePageSize();
  const terms = useApiQuery('manageTerms', { params: { program_id: programId }, query: { cursor, limit } });
  return (
    <Card>
      <QueryState query={terms} lines={6}>
        {({ data, meta }) => (
          <>
            <ol className="divide-y divide-line">
              {data.map((version) => (
                <li key={version.version} className="space-y-3 px-5 py-4">
                  <VersionHeader version={version} programId={programId} />
                  <RuleList version={version} />
                </li>
              ))}
            </ol>
            <Pager nextCursor={meta.next_cursor} shown={data.length} isLoading={terms.isPlaceholderData} />
          </>
        )}
      </QueryState>
    </Card>
  );
}

function VersionHeader({ version, programId }: { version: Version; programId: number }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-2">
      <div className="min-w-0 text-sm">
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          Version {version.version} <VersionState version={version} />
        </h2>
        <p className="text-caption text-quiet">
          <Period version={version} />
          {version.made_by && `, by ${version.made_by}`}
        </p>
        <p className="text-caption text-quiet">{detailsOf(version)}</p>
        {version.note && <p className="mt-1 break-words">{version.note}</p>}
      </div>
      {isScheduled(version) && <WithdrawButton programId={programId} version={version} />}
    </div>
  );
}

function VersionState({ version }: { version: Version }) {
  if (isScheduled(version)) return <Badge tone="accent">Scheduled</Badge>;
  const isOver = version.effective_until !== null && Date.parse(version.effective_until) <= Date.now();
  return isOver ? null : <Badge tone="good">In force</Badge>;
}

function Period({ version }: { version: Version }) {
  const { effective_from: from, effective_until: until } = version;
  if (until === null) {
    return (
      <>
        {isScheduled(version) ? 'From' : 'Since'} <Time at={from} />
      </>
    );
  }
  return (
    <>
      <Time at={from} /> to <Time at={until} />
    </>
  );
}

/** What percentages are computed from by default, which click is credited, and how long commissions are on hold. */
function detailsOf({ commission_type: type, commission_base: base, attribution, hold_days: days }: Version): string {
  const isPercent = COMMISSION_TYPES[type].basis === 'percent';
  const amount = isPercent ? [COMMISSIONABLE_AMOUNTS[base].label] : [];
  return [...amount, ATTRIBUTIONS[attribution].label.toLowerCase(), `${days}-day hold`].join(', ');
}
