import { Link2, Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { listQuery } from '../../rules/search.ts';
import type { LINK_SORTS } from '../../rules/sorts.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { BulkProgress } from '../../ui/lists/bulk-progress.tsx';
import type { Column } from '../../ui/lists/column.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { ListViews } from '../../ui/lists/list-views.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { useListSelection } from '../../ui/lists/selection.ts';
import { useSetSort } from '../../ui/lists/sorting.ts';
import { NumbersLine, numberColumns } from '../../ui/records/number-columns.tsx';
import { Time } from '../../ui/records/time.tsx';
import { BulkLinks } from './bulk-links.tsx';
import { LinkActions } from './link-actions.tsx';
import type { ListedLink } from './listed-link.ts';
import { type LinkOwnership, NewLinkDialog } from './new-link-dialog.tsx';

const QrCodeDialog = lazy(() => import('../../ui/records/qr-code-dialog.tsx'));

const STATE_OPTIONS = [
  ['active', 'Active'],
  ['disabled', 'Disabled'],
  ['deleted', 'Deleted'],
] as const;

/** What the API calls the choice of a state. */
const STATE_FILTERS = {
  active: { active: 'true' },
  disabled: { active: 'false' },
  deleted: { deleted: 'true' },
} as const;

type LinkSort = (typeof LINK_SORTS)[number] | `-${(typeof LINK_SORTS)[number]}`;

type LinkListProps = {
  search: {
    link_state?: keyof typeof STATE_FILTERS;
    partner_id?: string;
    q?: string;
    sort?: LinkSort;
    cursor?: string;
  };
  description: string;
  emptyText: string;
  /** Whose a new link is. Partners create links for themselves only. */
  ownership: LinkOwnership;
  partnerColumn?: Column<ListedLink>;
  partnerFilter?: ReactNode;
};

/** The links of a program, or of one partner. */
export function LinkList({ search, description, emptyText, ownership, partnerColumn, partnerFilter }: LinkListProps) {
  const programId = useProgramId();
  const { filters, sort, cursor, isFiltered } = listQuery(search);
  const { link_state: state, ...others } = filters;
  const setSort = useSetSort();
  const [limit] = usePageSize();
  const commissionTitle = ownership === 'own' ? 'Earned' : 'Commissions';
  const [isCreating, setCreating] = useState(false);
  const [qrCodeLink, setQrCodeLink] = useState<ListedLink | null>(null);
  const params = { program_id: programId };
  const chosen = { ...others, ...(state && STATE_FILTERS[state]) };
  const links = useApiQuery('manageLinks', { params, query: { ...chosen, sort, cursor, limit } });
  const matching = useApiQuery('manageLinks', { params, query: { ...chosen, totals: 'true', limit: 1 } });
  const { count, totals } = matching.data?.meta ?? {};
  const {
    selected,
    count: selectedCount,
    clear,
    ...selecting
  } = useListSelection([programId, sort, cursor, limit], chosen, matching, links.data?.data);
  const mayChange = useMay(programId, 'manageStartLinkChange') && ownership === 'chosen' && state !== 'deleted';
  const newButton = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden /> New link
    </Button>
  );
  return (
    <>
      <ListPage
        title="Links"
        description={description}
        exportUrl={urlOf('manageExportLinks', { params, query: chosen })}
        actions={
          <Allowed route="manageAddLink" to="create and change links">
            {newButton}
          </Allowed>
        }
        query={links}
        rowKey={({ id }) => id}
        count={count}
        noun="links"
        hasPageSize
        sort={sort ?? '-created_at'}
        onSort={setSort}
        selecting={
          mayChange
            ? {
                ...selecting,
                nameOf: ({ short_link: name }) => name,
                actions: <BulkLinks programId={programId} selection={selected} count={selectedCount} onDone={clear} />,
              }
            : undefined
        }
        toolbar={
          <>
            <FilterText label="Search links" placeholder="Link name" />
            {partnerFilter}
            <FilterSelect name="link_state" label="All statuses" options={STATE_OPTIONS} />
            {ownership === 'chosen' && <ListViews programId={programId} list="links" />}
          </>
        }
        columns={[
          {
            title: 'Link',
            sortBy: 'short_link',
            cell: ({ short_link: name, label, url, numbers }) => (
              <div className="max-w-44 min-w-0 lg:max-w-48">
                <span className="font-mono text-caption font-medium">{name}</span>
                {label && <span className="ml-2 text-caption text-quiet">{label}</span>}
                <div className="truncate text-caption text-quiet" title={url}>
                  {withoutScheme(url)}
                </div>
                <NumbersLine numbers={numbers} commissionTitle={commissionTitle} />
              </div>
            ),
          },
          ...(partnerColumn ? [partnerColumn] : []),
          { title: 'Status', showFrom: 'medium', isStacked: true, cell: (link) => <LinkState link={link} /> },
          ...numberColumns<ListedLink>(totals, commissionTitle),
          {
            title: 'Created',
            isHiddenByDefault: ownership === 'chosen',
            showFrom: 'wide',
            sortBy: 'created_at',
            isSortedDownFirst: true,
            cell: ({ created_at: at }) => <Time at={at} />,
          },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (link) => <LinkActions programId={programId} link={link} onShowQrCode={() => setQrCodeLink(link)} />,
          },
        ]}
        empty={
          <EmptyList
            icon={Link2}
            noun="links"
            isFiltered={isFiltered}
            action={<Allowed route="manageAddLink">{newButton}</Allowed>}
          >
            {emptyText}
          </EmptyList>
        }
      />
      {ownership === 'chosen' && <BulkProgress programId={programId} kinds={['change_links']} />}
      <NewLinkDialog
        programId={programId}
        ownership={ownership}
        isOpen={isCreating}
        onClose={() => setCreating(false)}
      />
      {qrCodeLink && (
        <Suspense>
          <QrCodeDialog url={qrCodeLink.short_url} name={qrCodeLink.short_link} onClose={() => setQrCodeLink(null)} />
        </Suspense>
      )}
    </>
  );
}

function LinkState({ link: { active, deleted_at: deletedAt } }: { link: ListedLink }) {
  if (deletedAt !== null) return <Badge tone="bad">Deleted</Badge>;
  return <Badge tone={active ? 'good' : 'neutral'}>{active ? 'Active' : 'Disabled'}</Badge>;
}

/** The scheme is the same for nearly all links, and there is little room. */
function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
