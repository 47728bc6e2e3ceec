import { Link } from '@tanstack/react-router';
import { POLL_MS, useApiQuery } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { Step } from '../../ui/layout/step.tsx';
import { useNewApiKey } from './new-api-key.ts';
import { ReadinessGates } from './readiness-gates.tsx';
import { Snippets } from './snippets.tsx';
import { TestRun } from './test-run.tsx';

/** The steps from a new program to its first attributed test sale. */
export function Page() {
  const programId = useProgramId();
  const readiness = useApiQuery('manageReadiness', { params: { program_id: programId } }, { refetchMs: POLL_MS });
  return (
    <>
      <PageHeader
        title="Set up your program"
        description="Four steps, about 10 minutes. The checks at the end update automatically."
      >
        <Link to="/app/programs/$programId/overview" params={{ programId }} className={buttonClass()}>
          Skip to overview
        </Link>
      </PageHeader>
      <ol className="max-w-3xl space-y-6">
        <Step number={1} title="Add the tracker to your site">
          <p className="mb-4 text-sm text-quiet">
            It records visitors who arrive through a partner’s link. Choose how to add it.
          </p>
          <Snippets programId={programId} />
        </Step>
        <Step number={2} title="Store the API key on your server">
          <ApiKeyStep programId={programId} />
        </Step>
        <Step number={3} title="Run a test">
          <TestRun programId={programId} />
        </Step>
        <Step number={4} title="Check your setup">
          <QueryState query={readiness}>{({ data }) => <ReadinessGates readiness={data} />}</QueryState>
          <Link
            to="/app/programs/$programId/partners"
            params={{ programId }}
            className={`${buttonClass({ variant: 'primary' })} mt-5`}
          >
            Invite your first partner
          </Link>
        </Step>
      </ol>
    </>
  );
}

function ApiKeyStep({ programId }: { programId: number }) {
  const newKey = useNewApiKey(programId);
  const settingsLink = (tab: 'key' | 'payments', label: string) => (
    <Link
      to="/app/programs/$programId/settings"
      params={{ programId }}
      search={{ tab }}
      className="text-accent underline"
    >
      {label}
    </Link>
  );
  return (
    <div className="space-y-3">
      {newKey ? (
        <>
          <Notice tone="warn">This is the only time the full key is shown. Store it with your server’s secrets.</Notice>
          <CodeBlock label="Copy API key" text={`SVC_API_KEY=${newKey}\nSVC_PROGRAM_ID=${programId}`} />
        </>
      ) : (
        <p className="text-sm text-quiet">
          The key was shown when the program was created. If you lost it, an owner can{' '}
          {settingsLink('key', 'regenerate it')}.
        </p>
      )}
      <p className="text-sm text-quiet">
        Your server uses it to report signups and payments, as described in the{' '}
        <a href={`${settings.base_url}/docs`} className="text-accent underline">
          API reference
        </a>
        .
      </p>
      <p className="text-sm text-quiet">
        Using Stripe or Paddle? {settingsLink('payments', 'Connect it')} and add{' '}
        <a href={`${settings.base_url}/docs/payments`} className="text-accent underline">
          metadata to your checkout
        </a>{' '}
        instead of reporting payments yourself.
      </p>
    </div>
  );
}
