import { Button } from '../../../ui/forms/button.tsx';
import { TextArea } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/records/time.tsx';
import { type JoinPage, useJoinPageUpdate } from './use-join-page.ts';

const MAX_LENGTH = 20_000;

type AgreementSettingsProps = { programId: number; agreement: JoinPage['agreement'] };

/** The agreement that new partners accept. */
export function AgreementSettings({ programId, agreement }: AgreementSettingsProps) {
  const { save, error, isBusy } = useJoinPageUpdate(programId);
  return (
    <TitledCard
      title="Agreement"
      description="New partners accept it before they join. If you change the text, new partners accept the new version. Each partner’s page shows which version they accepted."
    >
      <Form
        className="space-y-4"
        error={error}
        onSubmit={({ agreement: text }) => save({ agreement: text })}
        label="Agreement"
      >
        <TextArea
          // A new version is shown as it was stored.
          key={agreement?.version ?? 0}
          label="Text"
          name="agreement"
          rows={10}
          maxLength={MAX_LENGTH}
          defaultValue={agreement?.text ?? ''}
          hint="Plain text. Leave empty if there is nothing to accept."
        />
        {agreement && (
          <p className="text-caption text-quiet">
            Version {agreement.version}, since <Time at={agreement.created_at} />
          </p>
        )}
        <Button type="submit" variant="primary" isBusy={isBusy}>
          Save agreement
        </Button>
      </Form>
    </TitledCard>
  );
}
