import { useApiMutation } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Time } from '../../ui/records/time.tsx';
import type { Program } from './settings-form.tsx';

/** Sets a deadline after which the current API key stops working. */
export function KeyRotation({ program }: { program: Program }) {
  const rotation = useApiMutation('manageRequireRotation');
  return (
    <TitledCard
      title="Require key rotation"
      description="Until the deadline the key keeps working and every response carries a warning. After it, requests with the key are rejected."
    >
      <Form
        className="space-y-4"
        error={rotation.error}
        onSubmit={({ rotate_by: deadline = '' }) =>
          rotation.mutate({ params: { program_id: program.id }, body: { rotate_by: new Date(deadline).toISOString() } })
        }
      >
        <TextField label="Deadline (your time zone)" name="rotate_by" type="datetime-local" required />
        <Button type="submit" isBusy={rotation.isPending}>
          Set deadline
        </Button>
      </Form>
      {program.api_key_rotate_by && (
        <div className="mt-4" role="status">
          <Notice tone="warn">
            {program.api_key_masked} stops working on <Time at={program.api_key_rotate_by} />. Regenerate it before
            then.
          </Notice>
        </div>
      )}
    </TitledCard>
  );
}
