import type { BulkSelection } from '../../api/bulk.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { BulkChoices } from '../../ui/lists/bulk-choices.tsx';

type BulkLinksProps = {
  programId: number;
  selection: BulkSelection<'manageStartLinkChange'>;
  count: number;
  onDone: () => void;
};

/** Enables, disables or deletes the selected links. The service works through them, also when the page is left. */
export function BulkLinks({ programId, selection, count, onDone }: BulkLinksProps) {
  const start = useApiMutation('manageStartLinkChange', onDone);
  const change = (what: { active: boolean } | { deleted: true }) => () =>
    start.mutate({ params: { program_id: programId }, body: { ...what, ...selection } });
  const links = countOf(count, 'links');
  return (
    <BulkChoices
      isBusy={start.isPending}
      error={start.error}
      onCancel={start.reset}
      choices={[
        {
          label: 'Enable',
          title: `Enable ${links}?`,
          description: 'Their clicks count from now on.',
          onConfirm: change({ active: true }),
        },
        {
          label: 'Disable',
          title: `Disable ${links}?`,
          description:
            'Visitors still reach the pages, but their clicks no longer count. You can enable the links again.',
          onConfirm: change({ active: false }),
        },
        {
          label: 'Delete',
          title: `Delete ${links}?`,
          description:
            'Visitors still reach the pages, but their clicks no longer count. Customers, sales and commissions so far stay. The links cannot be restored, and their names can never be used again.',
          isDanger: true,
          onConfirm: change({ deleted: true }),
        },
      ]}
    />
  );
}
