import type { Row } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Time } from '../../ui/records/time.tsx';

type KeyRotationProps = { programId: number; keys: Row<'manageApiKeys'>[] };

/** Sets a deadline after which the current API key stops working. */
export function KeyRotation({ programId, keys }: KeyRotationProps) {
  const rotation = useApiMutation('manageRequireRotation');
  return (
    <TitledCard
      title="Require key rotation"
      description="Until the deadline the live key keeps working and every response carries a warning. After it, requests with the key are rejected. If you have two live keys, the deadline is for the older one."
    >
      <Form
        className="space-y-4"
        error={rotation.error}
        onSubmit={({ rotate_by: deadline = '' }) =>
          rotation.mutate({ params: { program_id: programId }, body: { rotate_by: new Date(deadline).toISOString() } })
        }
      >
        <TextField label="Deadline (your time zone)" name="rotate_by" type="datetime-local" required />
        <Button type="submit" isBusy={rotation.isPending}>
          Set deadline
        </Button>
      </Form>
      {keys.map(
        ({ id, api_key_masked: masked, rotate_by: rotateBy }) =>
          rotateBy && (
            <div key={id} className="mt-4" role="status">
              <Notice tone="warn">
                {masked} stops working on <Time at={rotateBy} />. Create another key and use it before then.
              </Notice>
            </div>
          ),
      )}
    </TitledCard>
  );
}
