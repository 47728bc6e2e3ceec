import { Link } from '@tanstack/react-router';
import type { Data } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { viewing } from '../../api/viewing.ts';
import { addDays, todayOf } from '../../rules/calendar.ts';
import { periodOf } from '../../rules/report.ts';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Checklist } from '../../ui/layout/checklist.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useOwnLinks } from './your-link.tsx';

/** The longest report. */
const REPORT_DAYS = 731;

/** What a partner has brought in so far, by whatever link or coupon: two reports of two years each. */
export function useOwnTotals() {
  const today = todayOf(new Date());
  const period = periodOf({ from: addDays(today, 1 - REPORT_DAYS), to: today }, new Date());
  return useApiQuery('managePerformance', {
    params: { program_id: useProgramId() },
    query: { ...period, interval: 'month', limit: 1 },
  });
}

/** What a new partner still has to do to earn and to be paid, until all of it is done. */
export function FirstSteps({ me }: { me: Data<'manageMe'> | undefined }) {
  const programId = useProgramId();
  const links = useOwnLinks().data?.data;
  const report = useOwnTotals().data?.data;
  // They concern the partner’s account, which a brand member viewing the portal does not have.
  if (!me || !links || !report || viewing()) return null;
  const has = (what: 'clicks' | 'sales') => report.totals[what] + report.previous[what] > 0;
  // Who sells by a coupon needs neither a link nor a click.
  const hasSold = has('sales');
  const hasClicks = hasSold || has('clicks');
  const small = buttonClass({ size: 'small' });
  const ownLinks = (label: string) => (
    <Link to="/app/portal/$programId/links" params={{ programId }} className={small}>
      {label}
    </Link>
  );
  const confirmAddress = {
    title: 'Confirm your email address',
    isDone: me.user.email_verified,
    action: (
      <Link to="/app/account" className={small}>
        Open account settings
      </Link>
    ),
  };
  return (
    <Checklist
      title="First steps"
      steps={[
        // Without mail, nobody gets the link that confirms an address.
        ...(settings.mail ? [confirmAddress] : []),
        { title: 'Create a link', isDone: hasClicks || links.length > 0, action: ownLinks('Create a link') },
        {
          title: 'Choose how you get paid',
          isDone: me.payout_method !== null,
          action: (
            <Link to="/app/account/payout-method" className={small}>
              Set up payouts
            </Link>
          ),
        },
        { title: 'Get your first click', isDone: hasClicks, action: ownLinks('View links') },
        { title: 'Make your first sale', isDone: hasSold, action: null },
      ]}
    />
  );
}
