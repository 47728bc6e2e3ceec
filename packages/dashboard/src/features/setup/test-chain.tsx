import { Check, Play, X } from 'lucide-react';
import { useAction } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';

const STEPS = [
  ['click', 'A test visitor follows a link'],
  ['lead', 'They sign up'],
  ['sale', 'They pay'],
] as const;

/** Sends a test click, lead and sale through the real tracking code and shows what became of each. */
export function TestChain({ programId }: { programId: number }) {
  const chain = useAction('manageTestChain');
  const result = chain.data?.data;
  return (
    <div className="space-y-4">
      <p className="text-sm text-quiet">
        It sends a test click, signup and sale through the same code as real ones. Test events never reach commissions
        or reports.
      </p>
      <Button
        look={result ? 'plain' : 'primary'}
        isBusy={chain.isPending}
        onClick={() => chain.mutate({ params: { program_id: programId } })}
      >
        <Play size={15} aria-hidden /> {result ? 'Run it again' : 'Run the chain'}
      </Button>
      <div aria-live="polite">
        {chain.error && <Notice tone="bad">{chain.error.message}</Notice>}
        {result && (
          <ul className="space-y-2 text-sm">
            {STEPS.map(([step, words]) => {
              const isGood = result.verdict[step] === 'attributed';
              return (
                <li key={step} className="flex items-center gap-2.5">
                  {isGood ? (
                    <Check size={17} className="text-good" aria-hidden />
                  ) : (
                    <X size={17} className="text-bad" aria-hidden />
                  )}
                  {words}: <strong className="font-medium">{result.verdict[step].replaceAll('_', ' ')}</strong>
                </li>
              );
            })}
            <li className="pt-1">
              {result.attributed ? (
                <Notice tone="good">The chain is verified: the sale found its way back to the partner.</Notice>
              ) : (
                <Notice tone="bad">The sale did not reach the partner. The event log tells where it got lost.</Notice>
              )}
            </li>
          </ul>
        )}
      </div>
    </div>
  );
}
