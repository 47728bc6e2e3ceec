import { useApiQuery } from '../../../api/hooks.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import type { Program } from '../settings-form.tsx';
import { AgreementSettings } from './agreement-settings.tsx';
import { LookSettings } from './look-settings.tsx';
import { QuestionSettings } from './question-settings.tsx';

/** What people see who open the join link, and how the portal looks. */
export function JoinPageSettings({ program }: { program: Program }) {
  const page = useApiQuery('manageJoinPage', { params: { program_id: program.id } });
  return (
    <QueryState query={page} lines={8}>
      {({ data }) => (
        <>
          <LookSettings program={program} page={data} />
          <QuestionSettings programId={program.id} page={data} />
          <AgreementSettings programId={program.id} page={data} />
        </>
      )}
    </QueryState>
  );
}
