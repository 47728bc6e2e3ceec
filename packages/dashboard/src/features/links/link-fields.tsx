import { useApiQuery } from '../../api/hooks.ts';
import { TextField } from '../../ui/forms/field.tsx';
import type { ListedLink } from './listed-link.ts';

const MAX_LABEL_LENGTH = 100;
const MAX_URL_LENGTH = 2_048;

/** What can be changed about a link at any time. */
export function LinkFields({ programId, link }: { programId: number; link?: ListedLink }) {
  const programs = useApiQuery('managePrograms').data?.data;
  const domain = programs?.find(({ id }) => id === programId)?.domain ?? 'your-site.com';
  return (
    <>
      <TextField
        label="Destination"
        name="destination_url"
        maxLength={MAX_URL_LENGTH}
        defaultValue={link?.destination_url ?? ''}
        placeholder={`https://${domain}/pricing`}
        hint={`A page of ${domain}, or just its path, such as /pricing. Leave empty to link to the home page.`}
      />
      <TextField
        label="Label"
        name="label"
        maxLength={MAX_LABEL_LENGTH}
        defaultValue={link?.label ?? ''}
        placeholder="Newsletter, March"
        hint="Helps you tell links apart. Visitors don’t see it."
      />
    </>
  );
}
