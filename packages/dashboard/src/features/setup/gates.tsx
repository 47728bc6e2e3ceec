import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { Data } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';

export type Readiness = Data<'manageReadiness'>;

const GATES = [
  ['profile', 'Profile', 'The program has a name and a website.'],
  ['economics', 'Economics', 'What partners earn is set.'],
  ['payout', 'Payments', 'Sales arrive and earn commissions.'],
  ['tracking', 'Tracking', 'Clicks arrive and find their partner.'],
  ['live', 'Live', 'Real clicks, signups and sales arrive.'],
] as const;

const STATES: Record<Readiness['state'], [Tone, string]> = {
  draft: ['neutral', 'Draft'],
  configuring: ['warn', 'Being set up'],
  ready: ['accent', 'Ready for tests'],
  integration_verified: ['good', 'Integration verified'],
  live_verified: ['good', 'Live'],
};

const LOOKS = {
  pass: ['passes', CircleCheck, 'text-good'],
  fail: ['does not pass yet', CircleX, 'text-bad'],
  unknown: ['not known yet', CircleDashed, 'text-quiet'],
} as const;

export function ReadinessBadge({ state }: { state: Readiness['state'] }) {
  const [tone, words] = STATES[state];
  return <Badge tone={tone}>{words}</Badge>;
}

/** Every gate on the way to a live program, and what to do about those that are closed. */
export function Gates({ readiness }: { readiness: Readiness }) {
  return (
    <ul className="divide-y divide-line">
      {GATES.map(([name, title, words]) => {
        const { status, next_action: nextAction } = readiness.gates[name];
        const [spoken, Icon, colour] = LOOKS[status];
        return (
          <li key={name} className="flex gap-3 py-3 first:pt-1 last:pb-1">
            <Icon size={20} role="img" aria-label={spoken} className={`mt-0.5 shrink-0 ${colour}`} />
            <div className="min-w-0">
              <h3 className="text-sm font-semibold">{title}</h3>
              <p className="text-sm text-quiet">{status === 'pass' ? words : (nextAction ?? words)}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
