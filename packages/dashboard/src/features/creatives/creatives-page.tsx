import { Images, Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { describeFile, moved } from '../../rules/creative.ts';
import { useAction } from '../../ui/feedback/action.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/forms/menu.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { type Creative, CreativePreview, fileUrl } from './creative-preview.tsx';
import { EditCreativeDialog } from './edit-creative-dialog.tsx';
import { NewCreativeDialog } from './new-creative-dialog.tsx';

type Open = { action: 'create' } | { action: 'edit' | 'delete'; creative: Creative };

/** What a brand gives its partners: files, links and texts, in the order in which partners see them. */
export function Page() {
  const programId = useProgramId();
  const params = { program_id: programId };
  const [open, setOpen] = useState<Open | null>(null);
  const creatives = useApiQuery('manageCreatives', { params });
  const groups = useApiQuery('manageGroups', { params }).data?.data;
  // One for all rows: while an order is being saved, the next one is not known yet.
  const ordering = useAction('manageOrderCreatives');
  const close = () => setOpen(null);
  const newButton = (
    <Button variant="primary" onClick={() => setOpen({ action: 'create' })}>
      <Plus size={16} aria-hidden /> New creative
    </Button>
  );
  return (
    <>
      <PageHeader title="Creatives" description="Banners, documents, pages and texts that your partners can use.">
        <Allowed route="manageAddCreative" to="change creatives">
          {newButton}
        </Allowed>
      </PageHeader>
      <Card>
        <QueryState query={creatives}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyList
                icon={Images}
                noun="creatives"
                isFiltered={false}
                action={<Allowed route="manageAddCreative">{newButton}</Allowed>}
              >
                Partners who have a banner or a text at hand share more. They find yours in their portal, with their own
                link filled in.
              </EmptyList>
            ) : (
              <DataTable
                label="Creatives"
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  { title: 'Creative', cell: (creative) => <Title programId={programId} creative={creative} /> },
                  {
                    title: 'Who sees it',
                    showFrom: 'medium',
                    isStacked: true,
                    cell: ({ group_id: id }) =>
                      id === null ? 'All partners' : (groups?.find((group) => group.id === id)?.name ?? ''),
                  },
                  {
                    title: 'Status',
                    showFrom: 'small',
                    isStacked: true,
                    cell: ({ status }) => (
                      <Badge tone={status === 'published' ? 'good' : 'neutral'}>
                        {status === 'published' ? 'Published' : 'Draft'}
                      </Badge>
                    ),
                  },
                  {
                    title: 'Actions',
                    isTitleHidden: true,
                    isRightAligned: true,
                    cell: (creative) => (
                      <Allowed route="manageUpdateCreative">
                        <CreativeActions {...{ programId, creative, all: data, ordering, onOpen: setOpen }} />
                      </Allowed>
                    ),
                  },
                ]}
              />
            )
          }
        </QueryState>
      </Card>
      {open?.action === 'create' && <NewCreativeDialog programId={programId} onClose={close} />}
      {open?.action === 'edit' && <EditCreativeDialog {...{ programId }} creative={open.creative} onClose={close} />}
      {open?.action === 'delete' && <DeleteDialog {...{ programId }} creative={open.creative} onClose={close} />}
    </>
  );
}

function Title({ programId, creative }: { programId: number; creative: Creative }) {
  const { title, file, url, text } = creative;
  return (
    <span className="flex min-w-0 items-center gap-3">
      <CreativePreview {...{ programId, creative }} />
      <span className="min-w-0">
        <span className="block font-medium wrap-anywhere">{title}</span>
        <span className="line-clamp-1 text-caption text-quiet wrap-anywhere">
          {file ? describeFile(file) : (url ?? text)}
        </span>
      </span>
    </span>
  );
}

type ActionsProps = {
  programId: number;
  creative: Creative;
  all: Creative[];
  ordering: ReturnType<typeof useAction<'manageOrderCreatives'>>;
  onOpen: (open: Open) => void;
};

function CreativeActions({ programId, creative, all, ordering, onOpen }: ActionsProps) {
  const toast = useToast();
  const { id, title, status, file } = creative;
  const isPublished = status === 'published';
  const update = useAction('manageUpdateCreative', (changed) =>
    toast(changed.status === 'published' ? `${title} is published` : `${title} is a draft again`),
  );
  const ids = all.map((each) => each.id);
  const move = (by: 1 | -1) =>
    ordering.mutate(
      { params: { program_id: programId }, body: { ids: moved(ids, id, by) } },
      { onSuccess: () => toast(`${title} moved`) },
    );
  const place = ids.indexOf(id);
  return (
    <ActionsMenu name={title}>
      <MenuItem
        onSelect={() =>
          update.mutate({
            params: { program_id: programId, creative_id: id },
            body: { status: isPublished ? 'draft' : 'published' },
          })
        }
      >
        {isPublished ? 'Take back as a draft' : 'Publish'}
      </MenuItem>
      <MenuItem onSelect={() => onOpen({ action: 'edit', creative })}>Edit</MenuItem>
      {file && <MenuItem onSelect={() => window.location.assign(fileUrl(programId, creative))}>Download</MenuItem>}
      {place > 0 && (
        <MenuItem isDisabled={ordering.isPending} onSelect={() => move(-1)}>
          Move up
        </MenuItem>
      )}
      {place < ids.length - 1 && (
        <MenuItem isDisabled={ordering.isPending} onSelect={() => move(1)}>
          Move down
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem isDanger onSelect={() => onOpen({ action: 'delete', creative })}>
        Delete
      </MenuItem>
    </ActionsMenu>
  );
}

type DeleteProps = { programId: number; creative: Creative; onClose: () => void };

function DeleteDialog({ programId, creative, onClose }: DeleteProps) {
  const toast = useToast();
  const deletion = useApiMutation('manageDeleteCreative', () => {
    onClose();
    toast(`${creative.title} deleted`);
  });
  return (
    <ConfirmDialog
      title={`Delete ${creative.title}?`}
      description={
        creative.file
          ? 'The file is deleted for good. Partners keep what they have downloaded. To hide it for a while, take it back as a draft.'
          : 'Partners keep what they have copied. To hide it for a while, take it back as a draft.'
      }
      confirmLabel="Delete creative"
      isOpen
      onClose={onClose}
      onConfirm={() => deletion.mutate({ params: { program_id: programId, creative_id: creative.id } })}
      isBusy={deletion.isPending}
      error={deletion.error}
    />
  );
}
