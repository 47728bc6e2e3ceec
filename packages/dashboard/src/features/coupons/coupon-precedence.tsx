import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import type { Option } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { Card } from '../../ui/layout/card.tsx';

type Winner = 'first' | 'coupon';

const WINNERS: Option<Winner>[] = [
  ['first', 'The partner who had them first keeps them'],
  ['coupon', 'The partner of the coupon gets them'],
];

/** Who is credited if a customer of one partner uses the coupon of another. */
export function CouponPrecedence({ programId }: { programId: number }) {
  const toast = useToast();
  const params = { program_id: programId };
  const program = useApiQuery('manageProgram', { params }).data?.data;
  const mayChange = useMay(programId, 'manageUpdateProgram');
  const update = useApiMutation('manageUpdateProgram', () => toast('Changes saved'));
  return (
    <Card className="mb-6 p-5">
      {/* It has its place before the setting is known, so that the list below does not move. */}
      <div className={`grid max-w-md gap-3 ${program ? '' : 'invisible'}`}>
        <SelectField
          label="When a customer uses the coupon of another partner"
          hint="Renewals never move a customer."
          options={WINNERS}
          value={program?.coupons_win ? 'coupon' : 'first'}
          disabled={!mayChange || update.isPending}
          onValueChange={(winner) => update.mutate({ params, body: { coupons_win: winner === 'coupon' } })}
        />
        <ErrorNotice error={update.error} />
      </div>
    </Card>
  );
}
