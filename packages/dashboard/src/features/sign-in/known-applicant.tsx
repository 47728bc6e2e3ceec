import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Data, Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Answers } from '../../ui/records/answers.tsx';
import { DateOnly } from '../../ui/records/time.tsx';

type Application = Row<'manageApplications'>;
type KnownApplicantProps = { invitation: Data<'manageLookUpInvitation'>; children: ReactNode };

/** On a join link, shows people who have applied or joined what they answered. Everyone else gets the form. */
export function KnownApplicant({ invitation: { expires_at: expiresAt, offers }, children }: KnownApplicantProps) {
  const isJoinLink = expiresAt === null;
  const applications = useApiQuery('manageApplications', {}, { enabled: isJoinLink });
  if (!isJoinLink) return children;
  return (
    <QueryState query={applications}>
      {({ data }) => {
        const known = data.find(({ program_id: id }) => offers.some((offer) => offer.program_id === id));
        // A person who was removed gets the answer of the server.
        return known?.status === 'applied' || known?.status === 'active' ? <Known application={known} /> : children;
      }}
    </QueryState>
  );
}

function Known({ application }: { application: Application }) {
  const { name, program_id: programId, status, created_at: at, answers } = application;
  return (
    <div className="space-y-4">
      {status === 'active' ? (
        <>
          <p>You’re already a partner of {name}.</p>
          <Link
            to="/app/portal/$programId/overview"
            params={{ programId }}
            className={buttonClass({ variant: 'primary' })}
          >
            Open the partner portal
          </Link>
        </>
      ) : (
        <>
          <p>
            You applied on <DateOnly at={at} />. {name} hasn’t decided yet.
          </p>
          {answers.length > 0 && (
            <section aria-label="Your answers" className="rounded-xl border border-line p-4">
              <Answers answers={answers} />
            </section>
          )}
          <Link to="/app/applied" className={buttonClass({ variant: 'primary' })}>
            See the status of your application
          </Link>
        </>
      )}
    </div>
  );
}
