import type { Call, Data } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/hooks.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';

export type JoinPage = Data<'manageJoinPage'>;
type Changes = NonNullable<Call<'manageUpdateJoinPage'>['body']>;

/** Saves a part of the join page and says so. */
export function useJoinPageUpdate(programId: number) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateJoinPage', () => toast('Changes saved'));
  const save = (changes: Changes) => update.mutate({ params: { program_id: programId }, body: changes });
  return { save, error: update.error, isBusy: update.isPending };
}
