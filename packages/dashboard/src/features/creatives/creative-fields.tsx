import { LINK_PLACEHOLDER, MAX_CREATIVE_TEXT_CHARS } from '@svc/contract';
import { useApiQuery } from '../../api/hooks.ts';
import { type Option, TextArea, TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import type { Creative } from './creative-preview.tsx';

const EVERYONE: Option = ['', 'All partners'];

/** What all kinds of creatives have: a title, and who sees it. */
export function CommonFields({ programId, creative }: { programId: number; creative?: Creative }) {
  const groups = useApiQuery('manageGroups', { params: { program_id: programId } }).data?.data ?? [];
  const options = [EVERYONE, ...groups.map(({ id, name }): Option => [String(id), name])];
  return (
    <>
      <TextField
        label="Title"
        name="title"
        required
        maxLength={100}
        defaultValue={creative?.title}
        placeholder="Banner for blogs"
      />
      {options.length > 2 && (
        // The groups may come after the dialog.
        <SelectField
          key={options.length}
          label="Who sees it"
          name="group_id"
          options={options}
          defaultValue={String(creative?.group_id ?? '')}
        />
      )}
    </>
  );
}

export function UrlField({ creative }: { creative?: Creative }) {
  return (
    <TextField
      label="Page"
      name="url"
      type="url"
      required
      defaultValue={creative?.url ?? undefined}
      placeholder="https://example.com/pricing"
      hint="Partners copy pages of your site with their own code. Other pages stay as they are."
    />
  );
}

export function CreativeTextField({ creative }: { creative?: Creative }) {
  return (
    <TextArea
      label="Text"
      name="text"
      rows={7}
      required
      maxLength={MAX_CREATIVE_TEXT_CHARS}
      defaultValue={creative?.text ?? undefined}
      hint={`Write ${LINK_PLACEHOLDER} where the partner’s link belongs.`}
    />
  );
}

/** The group as the service wants it. */
export const groupOf = (value: string | undefined) => (value ? Number(value) : null);
