import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { Data } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';

export type Readiness = Data<'manageReadiness'>;

const GATES = [
  ['profile', 'Profile', 'The program has a name and a website.'],
  ['economics', 'Commission', 'The commission rate is valid.'],
  ['payout', 'Payments', 'A sale or an event of a payment processor has been received. Tests count.'],
  ['tracking', 'Tracking', 'A click has been received. Tests count.'],
  ['live', 'Live', 'A real click, signup and sale have been received.'],
] as const;

const STATES: Record<Readiness['state'], [Tone, string]> = {
  draft: ['neutral', 'Draft'],
  configuring: ['warn', 'Setting up'],
  ready: ['accent', 'Ready to test'],
  integration_verified: ['good', 'Integration verified'],
  live_verified: ['good', 'Live'],
};

const GATE_STATUSES = {
  pass: ['Passed', CircleCheck, 'text-good'],
  fail: ['Not passed yet', CircleX, 'text-bad'],
  unknown: ['Unknown', CircleDashed, 'text-quiet'],
} as const;

export function ReadinessBadge({ state }: { state: Readiness['state'] }) {
  const [tone, label] = STATES[state];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The checks a program passes on its way to going live, and what to do about those that have not passed. */
export function ReadinessGates({ readiness }: { readiness: Readiness }) {
  return (
    <ul className="divide-y divide-line">
      {GATES.map(([name, title, description]) => {
        const { status, next_action: nextAction } = readiness.gates[name];
        const [label, Icon, color] = GATE_STATUSES[status];
        return (
          <li key={name} className="flex gap-3 py-3 first:pt-1 last:pb-1">
            <Icon size={20} role="img" aria-label={label} className={`mt-0.5 shrink-0 ${color}`} />
            <div className="min-w-0">
              <h3 className="text-sm font-semibold">{title}</h3>
              <p className="text-sm text-quiet">{status === 'pass' ? description : (nextAction ?? description)}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
