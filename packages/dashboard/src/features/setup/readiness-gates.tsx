import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { Data } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';

export type Readiness = Data<'manageReadiness'>;

/** The gates in order: what has passed when they have, and what is missing until then. */
const GATES = [
  ['profile', 'Profile', 'The program has a name and a website.', null],
  ['economics', 'Commission', 'The commission rate is valid.', null],
  [
    'tracking',
    'Tracking',
    'A page of your site has reported a click.',
    'No click has arrived from your site yet. Add the tracker and open your site with the test link.',
  ],
  [
    'payout',
    'Payments',
    'A payment has arrived from your server or payment processor.',
    'No payment has arrived yet. Open the test link, then make a test payment as that visitor.',
  ],
  [
    'live',
    'Live',
    'A real click, signup and sale have arrived.',
    'Passes with the first real click, signup and sale through a partner’s link.',
  ],
] as const;

const SERVER_ONLY =
  'Your server has sent an event, but no click has arrived from your site. Add the tracker and open your site with the test link.';

const STATES: Record<Readiness['state'], [Tone, string]> = {
  draft: ['neutral', 'Draft'],
  configuring: ['neutral', 'Setting up'],
  ready: ['accent', 'Ready to test'],
  integration_verified: ['good', 'Integration verified'],
  live_verified: ['good', 'Live'],
};

const LOOKS = {
  passed: ['Passed', CircleCheck, 'text-good'],
  wrong: ['Needs a correction', CircleAlert, 'text-warn'],
  open: ['Not yet', CircleDashed, 'text-quiet'],
} as const;

/** The API passes tracking by an event of the server too. Without a click, no partner would be credited. */
const hasClick = ({ gates }: Readiness) => gates.tracking.cookie_set_by !== null;

export function ReadinessBadge({ readiness }: { readiness: Readiness }) {
  const isUnproven = readiness.state === 'integration_verified' && !hasClick(readiness);
  const [tone, label] = STATES[isUnproven ? 'ready' : readiness.state];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The checks that a program passes on its way to going live. What has not happened yet is open, not an error. */
export function ReadinessGates({ readiness }: { readiness: Readiness }) {
  return (
    <ul className="divide-y divide-line">
      {GATES.map(([name, title, passed, missing]) => {
        const { status, next_action: nextAction } = readiness.gates[name];
        const isPassed = status === 'pass' && (name !== 'tracking' || hasClick(readiness));
        const [label, Icon, color] = LOOKS[isPassed ? 'passed' : missing ? 'open' : 'wrong'];
        return (
          <li key={name} className="flex gap-3 py-3 first:pt-1 last:pb-1">
            <Icon size={20} role="img" aria-label={label} className={`mt-0.5 shrink-0 ${color}`} />
            <div className="min-w-0">
              <h3 className="text-sm font-semibold">{title}</h3>
              <p className="text-sm text-quiet">
                {isPassed ? passed : status === 'pass' ? SERVER_ONLY : (missing ?? nextAction)}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
