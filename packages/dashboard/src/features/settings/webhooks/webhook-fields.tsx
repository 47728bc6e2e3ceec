import { useState } from 'react';
import { EVERY_TYPE } from '../../../rules/event-types.ts';
import { ChoiceList } from '../../../ui/forms/choice-list.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { ALL_TYPES, choicesOf, FORMAT_HELP, FORMAT_OPTIONS, type Webhook } from './webhook-words.ts';

/** The fields of an endpoint. The format of one that exists stays: its receiver could not read another. */
export function WebhookFields({ webhook }: { webhook?: Webhook }) {
  const [types, setTypes] = useState<string[]>(webhook?.types ?? [EVERY_TYPE]);
  const [format, setFormat] = useState(webhook?.format ?? 'json');
  return (
    <>
      {!webhook && (
        <SelectField
          label="Format"
          name="format"
          options={FORMAT_OPTIONS}
          value={format}
          onValueChange={setFormat}
          hint={FORMAT_HELP[format]}
        />
      )}
      <TextField
        label="URL"
        name="url"
        type="url"
        required
        autoComplete="off"
        defaultValue={webhook?.url}
        placeholder="https://"
        hint="It has to be public and start with https://."
      />
      <ChoiceList
        label="Events"
        name="types"
        all={{ value: EVERY_TYPE, label: 'All events, also of types that are added later' }}
        groups={choicesOf(ALL_TYPES)}
        searchLabel="Search events"
        value={types}
        onValueChange={setTypes}
      />
      <TextField
        label="Description"
        name="description"
        maxLength={200}
        defaultValue={webhook?.description ?? ''}
        hint="Optional. Only your team sees it."
      />
    </>
  );
}

/** The types that the form has sent. */
export const typesOf = (chosen: string | undefined) => (chosen ?? '').split(',').filter(Boolean);
