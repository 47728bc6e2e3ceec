import { FileText } from 'lucide-react';
import type { Row } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/hooks.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Card, TitledCard } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useProgramId } from '../../../ui/layout/program-id.ts';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Answers } from '../../../ui/records/answers.tsx';
import { offerRows } from '../../../ui/records/offer-rows.ts';
import { Time } from '../../../ui/records/time.tsx';
import { Contact } from '../contact.tsx';
import { OwnCoupons } from './own-coupons.tsx';
import { OwnTerms } from './own-terms.tsx';

type Agreement = Row<'manageApplications'>['agreements'][number];

/** What the partner earns, their coupons, what the partner accepted and when, and what they answered when they applied. */
export function Page() {
  const programId = useProgramId();
  const me = useApiQuery('manageMe').data?.data;
  const membership = me?.partner_of.find(({ program_id: id }) => id === programId);
  const applications = useApiQuery('manageApplications');
  return (
    <>
      <PageHeader title="Rules and agreement" description="What you earn, and what you agreed to when you joined." />
      <div className="max-w-3xl space-y-6">
        {membership && <OwnTerms programId={programId} offer={offerRows(membership)} />}
        <OwnCoupons programId={programId} />
        <QueryState query={applications} lines={6}>
          {({ data }) => {
            const { answers = [], agreements = [] } = data.find(({ program_id: id }) => id === programId) ?? {};
            return (
              <>
                <AcceptedAgreement agreements={agreements} />
                {answers.length > 0 && (
                  <TitledCard title="Your application">
                    <Answers answers={answers} />
                  </TitledCard>
                )}
              </>
            );
          }}
        </QueryState>
        <Contact membership={membership} />
      </div>
    </>
  );
}

function AcceptedAgreement({ agreements }: { agreements: Agreement[] }) {
  const [latest, ...earlier] = agreements;
  if (!latest) {
    return (
      <Card>
        <EmptyState icon={FileText} title="No written agreement">
          The program had no agreement to accept when you joined.
        </EmptyState>
      </Card>
    );
  }
  return (
    <TitledCard title="Agreement you accepted" description={<AcceptedAt agreement={latest} />}>
      <p className="text-sm break-words whitespace-pre-line">{latest.text}</p>
      {earlier.map((agreement) => (
        <details key={agreement.version} className="mt-4 border-t border-line pt-3 text-sm">
          <summary className="cursor-pointer text-quiet">
            <AcceptedAt agreement={agreement} />
          </summary>
          <p className="mt-3 break-words whitespace-pre-line">{agreement.text}</p>
        </details>
      ))}
    </TitledCard>
  );
}

function AcceptedAt({ agreement: { version, accepted_at: at } }: { agreement: Agreement }) {
  return (
    <>
      Version {version}, accepted on <Time at={at} />
    </>
  );
}
