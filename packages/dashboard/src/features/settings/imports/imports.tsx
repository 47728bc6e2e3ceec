import { useSearch } from '@tanstack/react-router';
import { Import as ImportIcon } from 'lucide-react';
import type { Row } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/hooks.ts';
import { settings } from '../../../api/settings.ts';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { EmptyList } from '../../../ui/lists/empty-state.tsx';
import { List } from '../../../ui/lists/list.tsx';
import { usePageSize } from '../../../ui/lists/page-size.ts';
import { Time } from '../../../ui/records/time.tsx';
import { UndoImport } from './undo-import.tsx';

type Import = Row<'manageImports'>;

const STATUS: Record<Import['status'], string> = { open: 'Done', undoing: 'Partly undone', undone: 'Undone' };

/** “3 partners, 4 links”; what there is none of is left out. */
function countsText(counts: Import['created']): string {
  const words = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count.toLocaleString('en')} ${count === 1 ? kind.slice(0, -1) : kind}`);
  return words.join(', ') || 'Nothing';
}

/** What was taken over from other tools, newest first. */
export function Imports({ programId }: { programId: number }) {
  const { cursor } = useSearch({ from: '/app/programs/$programId/settings' });
  const [limit] = usePageSize();
  const imports = useApiQuery('manageImports', { params: { program_id: programId }, query: { cursor, limit } });
  return (
    <List
      label="Imports"
      query={imports}
      rowKey={({ id }) => id}
      hasPageSize
      toolbar={
        <div className="mr-auto">
          <h2 className="text-base font-semibold">Imports</h2>
          <p className="mt-0.5 text-sm text-quiet">Partners, links and customers that came from another tool.</p>
        </div>
      }
      columns={[
        {
          title: 'From',
          cell: ({ source, created_by: by }) => (
            <>
              {source}
              {by && <div className="text-caption text-quiet">by {by}</div>}
            </>
          ),
        },
        {
          title: 'Created',
          cell: ({ created, merged }) => (
            <>
              {countsText(created)}
              {merged.partners > 0 && (
                <div className="text-caption text-quiet">
                  {merged.partners} {merged.partners === 1 ? 'partner was' : 'partners were'} there before
                </div>
              )}
            </>
          ),
        },
        { title: 'Status', showFrom: 'medium', cell: ({ status }) => STATUS[status] },
        { title: 'When', isRightAligned: true, showFrom: 'medium', cell: ({ created_at: at }) => <Time at={at} /> },
        {
          title: 'Actions',
          isTitleHidden: true,
          isRightAligned: true,
          cell: (each) =>
            each.status !== 'undone' && (
              <Allowed route="manageUndoImport">
                <UndoImport programId={programId} imported={each} />
              </Allowed>
            ),
        },
      ]}
      empty={
        <EmptyList icon={ImportIcon} noun="imports" isFiltered={false}>
          Bring your partners along from Rewardful, FirstPromoter, Tolt, PartnerStack or Dub. Their links keep working.{' '}
          <a href={`${settings.base_url}/docs/guide/moving-in`} className="text-accent underline">
            Read how it works
          </a>
        </EmptyList>
      }
    />
  );
}
