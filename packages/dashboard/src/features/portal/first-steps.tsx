import { Link } from '@tanstack/react-router';
import type { Data } from '../../api/client.ts';
import { viewing } from '../../api/viewing.ts';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Checklist } from '../../ui/layout/checklist.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useOwnLinks } from './your-link.tsx';

/** What a new partner still has to do to earn and to be paid, until all of it is done. */
export function FirstSteps({ me }: { me: Data<'manageMe'> | undefined }) {
  const programId = useProgramId();
  const links = useOwnLinks().data?.data;
  // They concern the partner’s account, which a brand member viewing the portal does not have.
  if (!me || !links || viewing()) return null;
  const has = (what: 'clicks' | 'sales') => links.some(({ numbers }) => numbers[what] > 0);
  const small = buttonClass({ size: 'small' });
  const ownLinks = (label: string) => (
    <Link to="/app/portal/$programId/links" params={{ programId }} className={small}>
      {label}
    </Link>
  );
  return (
    <Checklist
      title="First steps"
      steps={[
        {
          title: 'Confirm your email address',
          isDone: me.user.email_verified,
          action: (
            <Link to="/app/account" className={small}>
              Open account settings
            </Link>
          ),
        },
        { title: 'Create a link', isDone: links.length > 0, action: ownLinks('Create a link') },
        {
          title: 'Choose how you get paid',
          isDone: me.payout_method !== null,
          action: (
            <Link to="/app/account/payout-method" className={small}>
              Set up payouts
            </Link>
          ),
        },
        { title: 'Get your first click', isDone: has('clicks'), action: ownLinks('View links') },
        { title: 'Make your first sale', isDone: has('sales'), action: null },
      ]}
    />
  );
}
