import { SelectField } from '../forms/select.tsx';

const OPTIONS = [
  ['bound', 'Only the account with this email'],
  ['open', 'Anyone with the link'],
] as const;

type OpenLinkFieldProps = { isOpenLink: boolean; onChange: (isOpenLink: boolean) => void };

/** Chooses who can accept an invitation. */
export function OpenLinkField({ isOpenLink, onChange }: OpenLinkFieldProps) {
  return (
    <SelectField
      label="Who can accept it"
      options={OPTIONS}
      value={isOpenLink ? 'open' : 'bound'}
      onValueChange={(value) => onChange(value === 'open')}
      hint={isOpenLink ? 'The first person to accept it gets access.' : undefined}
    />
  );
}
