import { useApiQuery } from '../../api/hooks.ts';
import { formatCount } from '../../rules/money.ts';
import { Badge } from '../../ui/feedback/badge.tsx';

/** How many commissions wait for a person. Nothing when there are none. */
export function HeldCount({ programId }: { programId: number }) {
  const query = { held: 'true', totals: 'true', limit: 1 } as const;
  const { count = 0 } = useApiQuery('manageCommissions', { params: { program_id: programId }, query }).data?.meta ?? {};
  if (count === 0) return null;
  return (
    <span className="ml-auto">
      <Badge tone="warn">{formatCount(count)}</Badge>
    </span>
  );
}
