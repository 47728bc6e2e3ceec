import type { ReactNode } from 'react';
import type { Call, Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';

export type Program = Data<'manageProgram'>;
export type ProgramChanges = NonNullable<Call<'manageUpdateProgram'>['body']>;

type SettingsFormProps = {
  program: Program;
  title: string;
  description?: ReactNode;
  /** Converts the form’s values to the changes to save. */
  toChanges: (values: Record<string, string>) => ProgramChanges;
  children: ReactNode;
};

/** A section of the settings with its own save button. */
export function SettingsForm({ program, title, description, toChanges, children }: SettingsFormProps) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateProgram', () => toast('Changes saved'));
  return (
    <TitledCard title={title} description={description}>
      <Form
        className="space-y-5"
        error={update.error}
        onSubmit={(values) => update.mutate({ params: { program_id: program.id }, body: toChanges(values) })}
      >
        {children}
        <Button type="submit" variant="primary" isBusy={update.isPending}>
          Save changes
        </Button>
      </Form>
    </TitledCard>
  );
}
