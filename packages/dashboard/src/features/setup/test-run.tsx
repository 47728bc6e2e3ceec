import { Check, Play, X } from 'lucide-react';
import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';

const STEPS = [
  ['click', 'Test click'],
  ['lead', 'Test signup'],
  ['sale', 'Test sale'],
] as const;

/** Sends a test click, signup and sale through the real tracking code and shows the result of each. */
export function TestRun({ programId }: { programId: number }) {
  const run = useApiMutation('manageTestChain');
  const result = run.data?.data;
  return (
    <div>
      <p className="mb-4 text-sm text-quiet">
        Sends a test click, signup and sale through the service’s own tracking code. This checks the service, not your
        site: it completes none of the checks, and no report includes it.
      </p>
      <Allowed route="manageTestChain" to="run it">
        <Button
          variant={result ? 'secondary' : 'primary'}
          isBusy={run.isPending}
          onClick={() => run.mutate({ params: { program_id: programId } })}
        >
          <Play size={15} aria-hidden /> {result ? 'Run again' : 'Run test'}
        </Button>
      </Allowed>
      <div aria-live="polite" className="not-empty:mt-4">
        {run.error && <Notice tone="bad">{run.error.message}</Notice>}
        {result && <TestResult result={result} />}
      </div>
    </div>
  );
}

function TestResult({ result: { verdict, attributed } }: { result: Data<'manageTestChain'> }) {
  return (
    <ul className="space-y-2 text-sm">
      {STEPS.map(([step, title]) => (
        <li key={step} className="flex items-center gap-2.5">
          {verdict[step] === 'attributed' ? (
            <Check size={17} className="text-good" aria-hidden />
          ) : (
            <X size={17} className="text-bad" aria-hidden />
          )}
          {title}: <strong className="font-medium">{verdict[step].replaceAll('_', ' ')}</strong>
        </li>
      ))}
      <li className="pt-1">
        {attributed ? (
          <Notice tone="good">The service works: the sale was attributed to the test partner.</Notice>
        ) : (
          <Notice tone="bad">
            Test failed. The sale was not attributed to the partner. The event log shows how far it got.
          </Notice>
        )}
      </li>
    </ul>
  );
}
