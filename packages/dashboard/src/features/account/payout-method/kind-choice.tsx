import { PAYOUT_KIND_NAMES, type PayoutKind } from '@svc/contract';
import { countriesInWords, currenciesInWords, reachInFull } from '../../../rules/payout-kinds.ts';

type KindChoiceProps = {
  kinds: readonly PayoutKind[];
  chosen: PayoutKind | undefined;
  onChoose: (kind: PayoutKind) => void;
};

/** The kinds of payout methods, each with what it reaches. */
export function KindChoice({ kinds, chosen, onChoose }: KindChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">How do you want to be paid?</legend>
      <div className="divide-y divide-line rounded-lg border border-edge">
        {kinds.map((kind) => (
          <div key={kind} className="px-3.5 py-3">
            <label className="flex items-start gap-2.5 text-sm">
              <input
                type="radio"
                name="kind"
                value={kind}
                required
                checked={chosen === kind}
                onChange={() => onChoose(kind)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <span className="font-medium">{PAYOUT_KIND_NAMES[kind]}</span>
                <span className="block text-caption text-quiet">
                  {currenciesInWords(kind)}; {countriesInWords(kind)}
                  {kind === 'other' && '. The brand pays by hand, so ask it first'}
                </span>
              </span>
            </label>
            <Reach kind={kind} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Reach({ kind }: { kind: PayoutKind }) {
  const reach = reachInFull(kind);
  if (!reach) return null;
  return (
    <details className="mt-1 pl-6.5 text-caption text-quiet">
      <summary className="w-fit cursor-pointer underline">
        <span className="sr-only">{PAYOUT_KIND_NAMES[kind]}: </span>All currencies and countries
      </summary>
      <p className="mt-1.5">{reach.currencies}</p>
      <p className="mt-1.5">{reach.countries}</p>
    </details>
  );
}
