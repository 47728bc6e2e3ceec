import { ExternalLink } from 'lucide-react';
import { useApiQuery } from '../../../api/hooks.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../../ui/forms/button.tsx';
import { FetchedForm } from '../../../ui/forms/fetched-form.tsx';
import type { Program } from '../settings-form.tsx';
import { AgreementSettings } from './agreement-settings.tsx';
import { LookSettings } from './look-settings.tsx';
import { QuestionSettings } from './question-settings.tsx';

/** Opens the page that strangers see, as it is saved, in a new tab. */
function PreviewLink({ joinUrl }: { joinUrl: string | null }) {
  if (joinUrl === null) {
    return (
      <Notice>
        Only invited partners can join, so there is no public page. Choose who can join under Partners, Join link.
      </Notice>
    );
  }
  const preview = new URL(joinUrl);
  preview.searchParams.set('preview', 'yes');
  return (
    <a href={preview.href} target="_blank" rel="noreferrer" className={`${buttonClass()} self-start`}>
      <ExternalLink size={16} aria-hidden /> Preview the saved page
    </a>
  );
}

/** What people see who open the join link, and how the portal looks. */
export function JoinPageSettings({ program }: { program: Program }) {
  const page = useApiQuery('manageJoinPage', { params: { program_id: program.id } });
  return (
    <QueryState query={page} lines={8}>
      {({ data }) => (
        <>
          <PreviewLink joinUrl={program.join_url} />
          <LookSettings program={program} page={data} />
          <FetchedForm value={data.questions}>
            {(questions) => <QuestionSettings programId={program.id} questions={questions} />}
          </FetchedForm>
          <FetchedForm
            value={data.agreement}
            changed={(newest) =>
              newest ? `Version ${newest.version} was published meanwhile.` : 'The agreement was removed meanwhile.'
            }
          >
            {(agreement) => <AgreementSettings programId={program.id} agreement={agreement} />}
          </FetchedForm>
        </>
      )}
    </QueryState>
  );
}
