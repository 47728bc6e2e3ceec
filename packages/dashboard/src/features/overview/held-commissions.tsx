import { Link } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';

/** Whether commissions wait for somebody to decide about them, such as those on a partner’s own purchase. */
export function useHeldCommissions(programId: number) {
  const query = { held: 'true', limit: 1 } as const;
  return useApiQuery('manageCommissions', { params: { program_id: programId }, query });
}

/** A notice for the brand while there are such commissions. */
export function HeldCommissions({ programId }: { programId: number }) {
  const held = useHeldCommissions(programId).data;
  const first = held?.data[0];
  if (!first) return null;
  return (
    <Notice tone="warn">
      {held.meta.next_cursor === null
        ? `A commission of ${first.partner_name} waits for your review.`
        : `Commissions of ${first.partner_name} and others wait for your review.`}{' '}
      <Link to="/app/programs/$programId/held" params={{ programId }} className="font-medium underline">
        Review
      </Link>
    </Notice>
  );
}
