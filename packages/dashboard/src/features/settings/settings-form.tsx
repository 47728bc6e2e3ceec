import type { ReactNode } from 'react';
import type { Call, Data } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';

export type Program = Data<'manageProgram'>;
export type Changes = NonNullable<Call<'manageUpdateProgram'>['body']>;

type SettingsFormProps = {
  program: Program;
  title: string;
  words?: ReactNode;
  changesOf: (values: Record<string, string>) => Changes;
  children: ReactNode;
};

/** A part of the settings that is saved by itself. */
export function SettingsForm({ program, title, words, changesOf, children }: SettingsFormProps) {
  const say = useToast();
  const saving = useAction('manageUpdateProgram', () => say('Saved'));
  return (
    <TitledCard title={title} words={words}>
      <Form
        className="max-w-xl space-y-5"
        error={saving.error}
        onSubmit={(values) => saving.mutate({ params: { program_id: program.id }, body: changesOf(values) })}
      >
        {children}
        <Button type="submit" look="primary" isBusy={saving.isPending}>
          Save
        </Button>
      </Form>
    </TitledCard>
  );
}
