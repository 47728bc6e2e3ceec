import { Link2, Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import type { Column } from '../../ui/lists/column.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { Time } from '../../ui/records/time.tsx';
import { LinkActions, type ListedLink } from './link-actions.tsx';
import { type LinkOwnership, NewLinkDialog } from './new-link-dialog.tsx';

const QrCodeDialog = lazy(() => import('../../ui/records/qr-code-dialog.tsx'));

const ACTIVE_OPTIONS = [
  ['true', 'Active'],
  ['false', 'Disabled'],
] as const;

type LinkListProps = {
  search: { active?: 'true' | 'false'; partner_id?: string; q?: string; cursor?: string };
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
  const { filters, cursor, isFiltered } = listQuery(search);
  const [isCreating, setCreating] = useState(false);
  const [qrCodeLink, setQrCodeLink] = useState<ListedLink | null>(null);
  const links = useApiQuery('manageLinks', { params: { program_id: programId }, query: { ...filters, cursor } });
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
        actions={newButton}
        query={links}
        rowKey={({ id }) => id}
        toolbar={
          <>
            <FilterText label="Search links" placeholder="Link name" />
            {partnerFilter}
            <FilterSelect name="active" label="All statuses" options={ACTIVE_OPTIONS} />
          </>
        }
        columns={[
          {
            title: 'Link',
            cell: ({ short_link: name, url }) => (
              <div className="max-w-36 min-w-0 md:max-w-72">
                <span className="font-mono text-caption font-medium">{name}</span>
                <div className="truncate text-caption text-quiet" title={url}>
                  {url}
                </div>
              </div>
            ),
          },
          ...(partnerColumn ? [partnerColumn] : []),
          {
            title: 'Status',
            showFrom: 'medium',
            cell: ({ active }) => <Badge tone={active ? 'good' : 'neutral'}>{active ? 'Active' : 'Disabled'}</Badge>,
          },
          { title: 'Created', showFrom: 'medium', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (link) => <LinkActions programId={programId} link={link} onShowQrCode={() => setQrCodeLink(link)} />,
          },
        ]}
        empty={
          <EmptyList icon={Link2} noun="links" isFiltered={isFiltered} action={newButton}>
            {emptyText}
          </EmptyList>
        }
      />
      <NewLinkDialog
        programId={programId}
        ownership={ownership}
        isOpen={isCreating}
        onClose={() => setCreating(false)}
      />
      {qrCodeLink && (
        <Suspense>
          <QrCodeDialog url={qrCodeLink.url} name={qrCodeLink.short_link} onClose={() => setQrCodeLink(null)} />
        </Suspense>
      )}
    </>
  );
}
