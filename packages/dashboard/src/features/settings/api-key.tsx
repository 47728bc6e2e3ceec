import { useState } from 'react';
import { useAction } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { Confirm, Dialog } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Time } from '../../ui/records/time.tsx';
import type { Program } from './settings-form.tsx';

type ApiKeyProps = { program: Program; isOwner: boolean };

/** The key that the brand's server uses: masked, made anew, or marked to be replaced by a day. */
export function ApiKey({ program, isOwner }: ApiKeyProps) {
  return (
    <>
      <TitledCard
        title="API key"
        words="Your server reports signups, sales and refunds with it. It is shown in full only when it is made."
      >
        <p className="mb-5 w-fit rounded-lg border border-line bg-sunken px-3.5 py-2 font-mono text-sm">
          {program.api_key_masked ?? 'no key yet'}
        </p>
        {isOwner ? (
          <Regenerate program={program} />
        ) : (
          <Notice>Only an owner of the workspace can make the key anew.</Notice>
        )}
      </TitledCard>
      {isOwner && <Rotation program={program} />}
    </>
  );
}

function Regenerate({ program }: { program: Program }) {
  const [isAsking, setAsking] = useState(false);
  const regenerating = useAction('manageRegenerateKey', () => setAsking(false));
  const fresh = regenerating.data?.data.api_key;
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Make the key anew
      </Button>
      <Confirm
        title="Make the API key anew?"
        words="The key in use stops working at once: until your server has the new one, signups and sales it reports are refused."
        confirm="Make it anew"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => regenerating.mutate({ params: { program_id: program.id } })}
        isBusy={regenerating.isPending}
        error={regenerating.error}
      />
      <Dialog
        title="Your new API key"
        words="This is the only time it is shown in full. Put it where your server keeps secrets."
        isOpen={fresh !== undefined}
        onClose={() => regenerating.reset()}
      >
        <CodeBlock text={fresh ?? ''} label="Copy the API key" />
        <div className="mt-5 flex justify-end">
          <Button look="primary" onClick={() => regenerating.reset()}>
            I have it
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function Rotation({ program }: { program: Program }) {
  const marking = useAction('manageRequireRotation');
  return (
    <TitledCard
      title="Ask for a new key by a day"
      words="The key goes on working and warns on every answer; after the deadline it is refused. Gives whoever runs your server time to replace it."
    >
      <Form
        className="max-w-xl space-y-4"
        error={marking.error}
        onSubmit={({ deadline = '' }) =>
          marking.mutate({ params: { program_id: program.id }, body: { rotate_by: new Date(deadline).toISOString() } })
        }
      >
        <TextField label="Deadline, in your time zone" name="deadline" type="datetime-local" required />
        <Button type="submit" isBusy={marking.isPending}>
          Mark for rotation
        </Button>
      </Form>
      {program.api_key_rotate_by && (
        <div className="mt-4 max-w-xl" role="status">
          <Notice tone="warn">
            {program.api_key_masked} stops working on <Time at={program.api_key_rotate_by} />.
          </Notice>
        </div>
      )}
    </TitledCard>
  );
}
