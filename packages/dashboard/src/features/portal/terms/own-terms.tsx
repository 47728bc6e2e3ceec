import type { Data } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/hooks.ts';
import { capitalize } from '../../../rules/label.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { type DetailRow, Details } from '../../../ui/layout/details.tsx';
import { Time } from '../../../ui/records/time.tsx';

type OwnTermsProps = { programId: number; offer: DetailRow[] };

/** What the partner earns: the rules that can pay them, and what the program pays otherwise. */
export function OwnTerms({ programId, offer }: OwnTermsProps) {
  const terms = useApiQuery('managePartnerTerms', { params: { program_id: programId } });
  return (
    <TitledCard title="What you earn">
      <QueryState query={terms} lines={4}>
        {({ data }) => (
          <div className="space-y-4">
            {data.rules.length > 0 && <OwnRules terms={data} />}
            <OwnMoves moves={data.moves} />
            <Details rows={offer} />
          </div>
        )}
      </QueryState>
    </TitledCard>
  );
}

function OwnRules({ terms }: { terms: Data<'managePartnerTerms'> }) {
  return (
    <>
      <p className="text-sm">
        You are in the group <strong>{terms.group_name}</strong>. The first of these rules that matches a sale or signup
        decides what you earn:
      </p>
      <ol className="divide-y divide-line rounded-lg border border-line text-sm">
        {terms.rules.map(({ rule, description }, index) => (
          <li key={rule} className="flex gap-3 px-4 py-2.5">
            {/* Their own numbers: those of the brand count rules that are for others. */}
            <span className="w-5 shrink-0 text-right text-quiet tabular-nums">{index + 1}</span>
            <span className="min-w-0 break-words">{capitalize(description)}</span>
          </li>
        ))}
        <li className="flex gap-3 px-4 py-2.5">
          <span className="w-5 shrink-0 text-right text-quiet tabular-nums">{terms.rules.length + 1}</span>
          <span className="min-w-0 break-words">Everything else: {terms.commission}</span>
        </li>
      </ol>
      <p className="text-caption text-quiet">
        In force since <Time at={terms.effective_from} />
      </p>
    </>
  );
}

/** Which groups the partner was moved to, and whether a tier or a person of the brand did it. */
function OwnMoves({ moves }: { moves: Data<'managePartnerTerms'>['moves'] }) {
  if (moves.length === 0) return null;
  return (
    <ul className="space-y-1 text-caption text-quiet">
      {moves.map(({ at, group, tier }) => (
        <li key={`${at} ${group}`}>
          Moved to {group} {tier ? 'by its tier' : 'by the brand'}, <Time at={at} />
        </li>
      ))}
    </ul>
  );
}
