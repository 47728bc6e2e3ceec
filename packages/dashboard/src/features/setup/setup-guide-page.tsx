import { integrationGuide } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { useSetupProgress } from '../../api/setup-progress.ts';
import { QueryState, Skeleton } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { Step } from '../../ui/layout/step.tsx';
import { ApiKeyStep } from './api-key-step.tsx';
import { ClickArrival, LeadArrival, SaleArrival, type Setup, useSetup } from './arrivals.tsx';
import { IntegrationCode } from './integration-code.tsx';
import { type Program, RefusedEvents } from './refused-events.tsx';
import { TestLink } from './test-link.tsx';

const GUIDE =
  'Follow a test visitor through your own site. Each step is marked as done when your site or server has sent us the event.';
const FINISHED =
  'Everything is set up: clicks, signups and payments arrive, and your first partner has an account. Nothing is left to do here.';

/** The steps from a new program to its first test sale. Only what arrives from the brand’s own site completes one. */
export function Page() {
  const programId = useProgramId();
  const program = useApiQuery('manageProgram', { params: { program_id: programId } });
  const setup = useSetup(programId);
  const { isPending, progress } = useSetupProgress(programId);
  const isFinished = progress !== undefined && Object.values(progress).every(Boolean);
  return (
    <>
      <PageHeader title="Set up your program" description={isFinished ? FINISHED : GUIDE}>
        <Link to="/app/programs/$programId/overview" params={{ programId }} className={buttonClass()}>
          {isFinished ? 'Go to overview' : 'Skip to overview'}
        </Link>
      </PageHeader>
      <QueryState query={program} lines={8}>
        {/* What has arrived is known before the steps appear, so that nothing moves. */}
        {({ data }) =>
          setup.isPending || isPending ? (
            <Skeleton lines={8} />
          ) : (
            <Guide
              program={data}
              setup={setup.data?.data}
              isInvited={progress?.invited ?? false}
              isFinished={isFinished}
            />
          )
        }
      </QueryState>
    </>
  );
}

type GuideProps = { program: Program; setup: Setup | undefined; isInvited: boolean; isFinished: boolean };

function Guide({ program, setup, isInvited, isFinished }: GuideProps) {
  // Folded for those who come back to it, not while somebody follows it.
  const [isFolded] = useState(isFinished || undefined);
  const code = integrationGuide(settings.base_url, program.id, settings.packages, program);
  return (
    // Beside the steps where there is room: what is refused while a person reads must not push the text away.
    <div className="xl:flex xl:flex-row-reverse xl:items-start xl:justify-end xl:gap-6">
      {setup && (
        <div className="max-w-3xl has-[section]:mb-6 xl:sticky xl:top-6 xl:w-96">
          <RefusedEvents program={program} events={setup.refused} />
        </div>
      )}
      <ol className="w-full max-w-3xl min-w-0 space-y-6">
        <Step number={1} title="Add the tracker and open your site" isDone={Boolean(setup?.click)} isFolded={isFolded}>
          <div id="click" className="scroll-mt-20">
            <p className="mb-4 text-sm text-quiet">It records visitors who arrive through a partner’s link.</p>
            <IntegrationCode label="How to add the tracker" ways={code.click} />
            <h3 className="mt-6 mb-3 text-sm font-semibold">Then open your site with this test link</h3>
            <Allowed route="manageTestLink" to="get the test link">
              <TestLink program={program} clickOrigin={setup?.click?.origin} />
            </Allowed>
          </div>
          <ClickArrival click={setup?.click} />
        </Step>
        <Step number={2} title="Store the API key on your server" isDone={isFinished} isFolded={isFolded}>
          <ApiKeyStep programId={program.id} />
        </Step>
        <Step number={3} title="Report signups" isDone={setup?.lead?.referred === true} isFolded={isFolded}>
          <div id="lead" className="scroll-mt-20">
            <p className="mb-4 text-sm text-quiet">
              Connects the visitor with your own user ID. Then sign up on your site, in the window with the test link.
            </p>
            <IntegrationCode label="How to report signups" ways={code.lead} />
          </div>
          <LeadArrival lead={setup?.lead} />
        </Step>
        <Step number={4} title="Report payments" isDone={setup?.sale?.referred === true} isFolded={isFolded}>
          <p className="mb-4 text-sm text-quiet">
            With Stripe, Paddle, Polar or Lemon Squeezy,{' '}
            <Link
              to="/app/programs/$programId/settings"
              params={{ programId: program.id }}
              search={{ tab: 'payments' }}
              className="text-accent underline"
            >
              connect it
            </Link>{' '}
            and put metadata on each checkout. Then make a test payment as the user who signed up.
          </p>
          <IntegrationCode label="How to report payments" ways={code.sale} />
          <SaleArrival sale={setup?.sale} />
        </Step>
        <Step number={5} title="Invite your first partner" isDone={isInvited} isFolded={isFolded}>
          <p className="mb-4 text-sm text-quiet">They get a link and a portal with their own numbers.</p>
          <Link
            to="/app/programs/$programId/partners"
            params={{ programId: program.id }}
            className={buttonClass({ variant: 'primary' })}
          >
            Invite a partner
          </Link>
        </Step>
      </ol>
    </div>
  );
}
