import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import { TextArea, TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { type JoinPage, useJoinPageUpdate } from './use-join-page.ts';

const MAX_QUESTIONS = 5;
const KINDS = [
  ['text', 'Short answer'],
  ['long_text', 'Long answer'],
  ['choice', 'One of several options'],
] as const;

/** A question while it is edited. Its options are lines of text. */
type Draft = { key: number; label: string; kind: 'text' | 'long_text' | 'choice'; required: boolean; options: string };

type QuestionSettingsProps = { programId: number; questions: JoinPage['questions'] };

/** What applicants are asked on the join page. */
export function QuestionSettings({ programId, questions }: QuestionSettingsProps) {
  const { save, error, isBusy } = useJoinPageUpdate(programId);
  const [drafts, setDrafts] = useState(() => questions.map(toDraft));
  const change = (key: number, changes: Partial<Draft>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...changes } : draft)));
  const add = () => {
    const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1;
    setDrafts([...drafts, { key, label: '', kind: 'text', required: true, options: '' }]);
  };
  return (
    <TitledCard
      title="Questions"
      description="People who apply through the join link answer them. You see the answers on the page of the partner."
    >
      <Form
        className="space-y-5"
        error={error}
        onSubmit={() => save({ questions: drafts.map(toQuestion) })}
        label="Questions"
      >
        {drafts.map((draft, index) => (
          <QuestionFields
            key={draft.key}
            number={index + 1}
            draft={draft}
            onChange={(changes) => change(draft.key, changes)}
            onRemove={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
          />
        ))}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" isBusy={isBusy}>
            Save questions
          </Button>
          {drafts.length < MAX_QUESTIONS && (
            <Button onClick={add}>
              <Plus size={16} aria-hidden /> Add a question
            </Button>
          )}
        </div>
      </Form>
    </TitledCard>
  );
}

type QuestionFieldsProps = {
  number: number;
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  onRemove: () => void;
};

function QuestionFields({ number, draft, onChange, onRemove }: QuestionFieldsProps) {
  return (
    <fieldset className="rounded-xl border border-line px-4 pb-4">
      <legend className="px-1 text-caption font-medium text-quiet">Question {number}</legend>
      <div className="mt-2 space-y-3">
        <TextField
          label="Question"
          required
          maxLength={200}
          value={draft.label}
          onChange={(event) => onChange({ label: event.target.value })}
          placeholder="Where will you recommend us?"
        />
        <SelectField label="Answer" options={KINDS} value={draft.kind} onValueChange={(kind) => onChange({ kind })} />
        {draft.kind === 'choice' && (
          <TextArea
            label="Options"
            required
            rows={3}
            value={draft.options}
            onChange={(event) => onChange({ options: event.target.value })}
            hint="One per line, 2 to 10."
          />
        )}
        <div className="flex items-center justify-between gap-2">
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={draft.required}
              onChange={(event) => onChange({ required: event.target.checked })}
              className="accent-accent"
            />
            Required
          </label>
          <Button size="small" variant="ghost" onClick={onRemove} aria-label={`Remove question ${number}`}>
            <Trash2 size={15} aria-hidden /> Remove
          </Button>
        </div>
      </div>
    </fieldset>
  );
}

function toDraft({ label, kind, required, options }: JoinPage['questions'][number], key: number): Draft {
  return { key, label, kind, required: required ?? false, options: (options ?? []).join('\n') };
}

function toQuestion({ label, kind, required, options }: Draft) {
  const lines = options.split('\n').map((line) => line.trim());
  return { label, kind, required, options: kind === 'choice' ? lines.filter(Boolean) : [] };
}
