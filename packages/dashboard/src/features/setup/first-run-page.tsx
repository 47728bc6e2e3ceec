import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { brandPath, useProgramId } from '../../ui/layout/urls.ts';
import { Gates } from './gates.tsx';
import { useNewKey } from './new-key.ts';
import { Snippets } from './snippets.tsx';
import { TestChain } from './test-chain.tsx';

const POLL_MS = 5_000;

/** From a new program to a first attributed test sale, one step after the other. */
export function Page() {
  const programId = useProgramId();
  const newKey = useNewKey(programId);
  const readiness = useRead('manageReadiness', { params: { program_id: programId } }, { everyMs: POLL_MS });
  return (
    <>
      <PageHead
        title="Set up your program"
        words="Four steps, about ten minutes. The gates at the end turn green by themselves."
      >
        <Link to={brandPath(programId)} className={buttonClass()}>
          Skip to the overview
        </Link>
      </PageHead>
      <ol className="max-w-3xl space-y-6">
        <Step number={1} title="Put the tracker on your site">
          <p className="mb-4 text-sm text-quiet">
            It notices when a visitor arrives through a partner’s link. Choose the way that fits your site.
          </p>
          <Snippets programId={programId} />
        </Step>
        <Step number={2} title="Keep the API key on your server">
          {newKey ? (
            <div className="space-y-3">
              <Notice tone="warn">
                This is the only time the key is shown in full. Put it where your server keeps secrets.
              </Notice>
              <CodeBlock label="Copy the API key" text={`SVC_API_KEY=${newKey}\nSVC_PROGRAM_ID=${programId}`} />
            </div>
          ) : (
            <p className="text-sm text-quiet">
              The key was shown when the program was created. If it is lost, an owner makes a new one in the{' '}
              <Link
                to={brandPath(programId, 'settings')}
                search={{ tab: 'key' } as never}
                className="text-accent underline"
              >
                settings
              </Link>
              .
            </p>
          )}
          <p className="mt-3 text-sm text-quiet">
            Your server reports signups and payments with it;{' '}
            <a href={`${settings.base_url}/docs`} className="text-accent underline">
              the API page
            </a>{' '}
            has the calls. Paying through Stripe? Connect it in the settings instead, and payments arrive by themselves.
          </p>
        </Step>
        <Step number={3} title="Run the verification chain">
          <TestChain programId={programId} />
        </Step>
        <Step number={4} title="See the gates turn green">
          <Loaded read={readiness}>{({ data }) => <Gates readiness={data} />}</Loaded>
          <Link to={brandPath(programId, 'partners')} className={`${buttonClass({ look: 'primary' })} mt-5`}>
            Invite your first partner
          </Link>
        </Step>
      </ol>
    </>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="rounded-xl border border-line bg-card p-5 shadow-card sm:p-6">
      <h2 className="mb-3 flex items-center gap-3 text-base font-semibold">
        <span aria-hidden className="grid size-7 place-items-center rounded-full bg-accent-soft text-sm text-accent">
          {number}
        </span>
        {title}
      </h2>
      {children}
    </li>
  );
}
