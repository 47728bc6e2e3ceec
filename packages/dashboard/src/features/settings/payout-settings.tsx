import { useApiQuery } from '../../api/hooks.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { FetchedForm } from '../../ui/forms/fetched-form.tsx';
import { Allowed, EditableWith } from '../../ui/layout/allowed.tsx';
import { PayerSettings } from './payer-settings.tsx';
import { PayoutRules, rulesOf } from './payout-rules.tsx';
import type { Program } from './settings-form.tsx';

/** How the program pays. */
export function PayoutSettings({ program }: { program: Program }) {
  return (
    <Allowed route="managePayoutSettings" to="see how the program pays">
      <LoadedSettings program={program} />
    </Allowed>
  );
}

function LoadedSettings({ program }: { program: Program }) {
  const settings = useApiQuery('managePayoutSettings', { params: { program_id: program.id } });
  return (
    <QueryState query={settings} lines={8}>
      {({ data }) => (
        <EditableWith route="manageSavePayoutSettings">
          <FetchedForm value={rulesOf(data)}>
            {(rules) => <PayoutRules program={program} settings={rules} nextRunAt={data.next_run_at} />}
          </FetchedForm>
          <PayerSettings programId={program.id} payer={data.payer} />
        </EditableWith>
      )}
    </QueryState>
  );
}
