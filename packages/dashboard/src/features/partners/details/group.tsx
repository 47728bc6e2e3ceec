import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { useMay } from '../../../api/rights.ts';
import { ErrorNotice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { PartnerPicker } from '../../../ui/records/partner-picker.tsx';
import { useMovePartner } from '../move-partner.ts';
import type { PartnerData } from './profile.tsx';

const BY_TIERS = '';

/** The group of the partner, which decides what they earn, and who recruited them. */
export function PartnerGroup({ programId, partner }: { programId: number; partner: PartnerData }) {
  const toast = useToast();
  const mayChange = useMay(programId, 'manageUpdatePartner');
  const groups = useApiQuery('manageGroups', { params: { program_id: programId } }).data?.data ?? [];
  const params = { program_id: programId, partner_id: partner.id };
  const moving = useMovePartner(programId);
  const recruiting = useApiMutation('manageUpdatePartner', () => toast('Changes saved'));
  const byTiers = partner.group_by === 'tier' ? `${partner.group_name} (automatic)` : 'Automatic';
  return (
    <TitledCard title="Group and recruiter">
      <div className="space-y-4">
        <ErrorNotice error={moving.error ?? recruiting.error} />
        <SelectField
          label="Group"
          disabled={!mayChange || moving.isPending}
          options={[[BY_TIERS, byTiers], ...groups.map(({ id, name }) => [String(id), name] as const)]}
          value={partner.group_by === 'tier' ? BY_TIERS : String(partner.group_id)}
          onValueChange={(id) => moving.move(partner, id === BY_TIERS ? null : Number(id))}
          hint="Automatic: the tiers decide, once a day. If you choose a group, the partner stays in it."
        />
        {mayChange && (
          <PartnerPicker
            programId={programId}
            label="Recruited by"
            value={partner.recruiter_id === null ? undefined : String(partner.recruiter_id)}
            placeholder="Nobody"
            clearLabel="Nobody"
            onValueChange={(id) => recruiting.mutate({ params, body: { recruiter_id: id ? Number(id) : null } })}
          />
        )}
      </div>
    </TitledCard>
  );
}
