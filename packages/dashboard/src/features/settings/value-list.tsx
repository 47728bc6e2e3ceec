import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type Props = {
  title: string;
  /** What is always in the list. */
  fixed: ReactNode;
  values: string[];
  /** The field of the setting, which adds a value. */
  field: { name: string; label: string; placeholder: string };
  /** Values that one click adds, with what is said about them. */
  suggestions: { title: string; values: { value: string; label: string }[] };
  error: Error | null;
  isBusy: boolean;
  onSave: (values: string[], onSuccess?: () => void) => void;
};

/** A setting that is a list of short texts, each saved when it is added or removed. */
export function ValueList({ title, fixed, values, field, suggestions, error, isBusy, onSave }: Props) {
  const missing = suggestions.values.filter(({ value }) => !values.includes(value));
  return (
    <>
      <ul aria-label={title} className="mb-5 divide-y divide-line rounded-lg border border-line">
        <li className="px-4 py-2.5 font-mono text-caption text-quiet">{fixed}</li>
        {values.map((value) => (
          <li key={value} className="flex items-center justify-between gap-3 py-1.5 pr-2 pl-4">
            <span className="font-mono text-caption break-all">{value}</span>
            <Button
              size="small"
              variant="ghost"
              aria-label={`Remove ${value}`}
              onClick={() => onSave(values.filter((other) => other !== value))}
            >
              <Trash2 size={15} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <Form
        className="space-y-4"
        error={error}
        onSubmit={({ [field.name]: value = '' }, form) => onSave([...values, value.trim()], () => form.reset())}
      >
        <div className="flex items-end gap-2">
          <div className="flex-1">
            <TextField {...field} required />
          </div>
          <Button type="submit" isBusy={isBusy}>
            <Plus size={16} aria-hidden /> Add
          </Button>
        </div>
      </Form>
      {missing.length > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-2 text-sm text-quiet">
          {suggestions.title}
          {missing.map(({ value, label }) => (
            <Button key={value} size="small" aria-label={`Add ${value}`} onClick={() => onSave([...values, value])}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
