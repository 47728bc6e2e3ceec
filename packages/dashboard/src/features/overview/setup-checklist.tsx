import { Link } from '@tanstack/react-router';
import type { SetupProgress } from '../../api/setup-progress.ts';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Checklist } from '../../ui/layout/checklist.tsx';

/** What a new program still needs, until all of it is there. */
export function SetupChecklist({ programId, progress }: { programId: number; progress: SetupProgress }) {
  const guide = (name: string) => (
    <Link to="/app/programs/$programId/start" params={{ programId }} className={buttonClass({ size: 'small' })}>
      Open setup guide <span className="sr-only">to {name}</span>
    </Link>
  );
  const partners = (label: string) => (
    <Link to="/app/programs/$programId/partners" params={{ programId }} className={buttonClass({ size: 'small' })}>
      {label}
    </Link>
  );
  return (
    <Checklist
      title="Set up your program"
      steps={[
        { title: 'Add the tracker to your site', isDone: progress.tracker, action: guide('add the tracker') },
        { title: 'Report signups', isDone: progress.signups, action: guide('report signups') },
        { title: 'Report payments', isDone: progress.payments, action: guide('report payments') },
        { title: 'Invite your first partner', isDone: progress.invited, action: partners('Invite a partner') },
        { title: 'Your first partner has an account', isDone: progress.joined, action: partners('View partners') },
      ]}
    />
  );
}
