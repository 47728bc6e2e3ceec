import { Badge, type Tone } from '../../../ui/feedback/badge.tsx';
import type { InvitedLine } from './invited-line.ts';

const OUTCOMES: Record<InvitedLine['outcome'], { tone: Tone; future: string; past: string }> = {
  invited: { tone: 'good', future: 'Will be invited', past: 'Invited' },
  added: { tone: 'good', future: 'Has an account: will be added', past: 'Has an account: added' },
  already_partner: { tone: 'neutral', future: 'Already a partner', past: 'Already a partner' },
  repeated: { tone: 'neutral', future: 'Repeated', past: 'Repeated' },
  refused: { tone: 'bad', future: 'Left out', past: 'Left out' },
};

/** The lines of the list, each with what happens or happened to it. */
export function LineList({ lines, tense }: { lines: InvitedLine[]; tense: 'future' | 'past' }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section tabIndex={0} aria-label="People" className="mb-4 max-h-72 overflow-y-auto rounded-lg border border-line">
      <ul className="divide-y divide-line">
        {lines.map(({ line, name, email, outcome, reason }) => {
          const { tone, [tense]: text } = OUTCOMES[outcome];
          return (
            <li key={line} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
              <span className="w-8 shrink-0 text-caption text-quiet tabular-nums">{line}</span>
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name || 'No name'}</span>
                {email && <span className="block truncate text-caption text-quiet">{email}</span>}
              </span>
              <Badge tone={tone}>{text}</Badge>
              {reason && (
                <span className={`w-full pl-11 text-caption ${tone === 'bad' ? 'text-bad' : 'text-quiet'}`}>
                  {reason}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
