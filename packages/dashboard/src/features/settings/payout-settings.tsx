import { useApiQuery } from '../../api/hooks.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Allowed, EditableWith } from '../../ui/layout/allowed.tsx';
import { PayerSettings } from './payer-settings.tsx';
import { PayoutRules } from './payout-rules.tsx';
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
          {/* What a colleague has saved replaces what is shown. */}
          <PayoutRules key={data.updated_at} program={program} settings={data} />
          <PayerSettings programId={program.id} payer={data.payer} />
        </EditableWith>
      )}
    </QueryState>
  );
}
