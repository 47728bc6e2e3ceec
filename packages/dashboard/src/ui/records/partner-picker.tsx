import { call } from '../../api/client.ts';
import { usePartnerName } from '../../api/program.ts';
import { Combobox, type OptionSearch } from '../forms/combobox.tsx';
import type { FieldProps } from '../forms/field.tsx';
import { useSearchParams } from '../layout/search-params.ts';
import { NameWithAvatar } from './avatar.tsx';

const RESULTS = 20;

/** Finds partners of a program by part of their name or email. */
function partnerSearch(programId: number): OptionSearch {
  return {
    key: ['partners', programId],
    find: async (text) => {
      const query = { limit: RESULTS, ...(text && { q: text }) };
      const { data } = await call('managePartners', { params: { program_id: programId }, query });
      return data.map(({ id, name }) => ({
        value: String(id),
        label: name,
        content: <NameWithAvatar name={name} />,
      }));
    },
  };
}

type PartnerPickerProps = FieldProps & {
  programId: number;
  value: string | undefined;
  onValueChange: (partnerId: string | undefined) => void;
  name?: string;
  required?: boolean;
  placeholder?: string;
  clearLabel?: string;
};

/** Selects one of any number of partners by name. */
export function PartnerPicker({ programId, value, placeholder = 'Select a partner', ...field }: PartnerPickerProps) {
  return (
    <Combobox
      {...field}
      value={value}
      valueLabel={usePartnerName(programId, value)}
      placeholder={placeholder}
      searchLabel="Search partners"
      search={partnerSearch(programId)}
    />
  );
}

/** Filters by partner. */
export function PartnerFilter({ programId }: { programId: number }) {
  const [{ partner_id: selected }, setSearch] = useSearchParams();
  return (
    <div className="max-sm:min-w-[calc(50%-0.25rem)] max-sm:flex-1 sm:w-44">
      <PartnerPicker
        programId={programId}
        label="Partner"
        isLabelHidden
        value={selected}
        placeholder="All partners"
        clearLabel="All partners"
        onValueChange={(partnerId) => setSearch({ partner_id: partnerId })}
      />
    </div>
  );
}
