import type { BulkSelection } from '../../api/bulk.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { BulkChoices } from '../../ui/lists/bulk-choices.tsx';

type BulkCouponsProps = {
  programId: number;
  selection: BulkSelection<'manageStartCouponChange'>;
  count: number;
  onDone: () => void;
};

/** Switches the selected coupons on or off. The service works through them, also when the page is left. */
export function BulkCoupons({ programId, selection, count, onDone }: BulkCouponsProps) {
  const start = useApiMutation('manageStartCouponChange', onDone);
  const change = (active: boolean) => () =>
    start.mutate({ params: { program_id: programId }, body: { active, ...selection } });
  const coupons = countOf(count, 'coupons');
  return (
    <BulkChoices
      isBusy={start.isPending}
      error={start.error}
      onCancel={start.reset}
      choices={[
        {
          label: 'Switch on',
          title: `Switch on ${coupons}?`,
          description: 'Sales with these codes are credited to their partners from now on.',
          onConfirm: change(true),
        },
        {
          label: 'Switch off',
          title: `Switch off ${coupons}?`,
          description: 'Sales with these codes are credited to nobody from now on. Sales so far keep their partner.',
          onConfirm: change(false),
        },
      ]}
    />
  );
}
