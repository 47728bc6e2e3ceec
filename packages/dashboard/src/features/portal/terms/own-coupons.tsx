import { useApiQuery } from '../../../api/hooks.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { CopyButton } from '../../../ui/forms/copy.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';

// The most that a partner can have.
const MAX_COUPONS = 100;

/** The coupon codes of the partner, if they have any. */
export function OwnCoupons({ programId }: { programId: number }) {
  const query = { limit: MAX_COUPONS };
  const coupons = useApiQuery('manageCoupons', { params: { program_id: programId }, query }).data?.data ?? [];
  if (coupons.length === 0) return null;
  return (
    <TitledCard title="Your coupons" description="Orders with these codes are credited to you, even without a click.">
      <ul className="divide-y divide-line rounded-lg border border-line text-sm">
        {coupons.map(({ id, code, active }) => (
          <li key={id} className="flex items-center justify-between gap-3 px-4 py-2">
            <span className="flex flex-wrap items-center gap-2">
              <Identifier>{code}</Identifier>
              {!active && <Badge>Off</Badge>}
            </span>
            {active && <CopyButton text={code} label={`Copy ${code}`} isIconOnly />}
          </li>
        ))}
      </ul>
    </TitledCard>
  );
}
