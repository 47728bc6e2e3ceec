import type { Call, Data } from '../../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import type { Program } from '../settings-form.tsx';
import { AgreementSettings } from './agreement-settings.tsx';
import { LookSettings } from './look-settings.tsx';
import { QuestionSettings } from './question-settings.tsx';

export type JoinPage = Data<'manageJoinPage'>;
type Changes = NonNullable<Call<'manageUpdateJoinPage'>['body']>;

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

/** Saves a part of the join page and says so. */
export function useJoinPageUpdate(programId: number) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateJoinPage', () => toast('Changes saved'));
  const save = (changes: Changes) => update.mutate({ params: { program_id: programId }, body: changes });
  return { save, error: update.error, isBusy: update.isPending };
}
