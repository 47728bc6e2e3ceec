import { useState } from 'react';
import { Button } from '../forms/button.tsx';
import { ConfirmDialog } from '../forms/dialog.tsx';

/** What can be done with the selected rows, and what is asked before. */
export type BulkChoice = {
  label: string;
  title: string;
  description: string;
  isDanger?: boolean;
  /** Starts it. Once it has started, nothing is selected, and the question is gone. */
  onConfirm: () => void;
};

type BulkChoicesProps = { choices: BulkChoice[]; isBusy: boolean; error: Error | null; onCancel: () => void };

/** A button for each of the things that can be done with the selected rows. Each of them asks first. */
export function BulkChoices({ choices, isBusy, error, onCancel }: BulkChoicesProps) {
  const [asked, setAsked] = useState<string | null>(null);
  const choice = choices.find(({ label }) => label === asked);
  return (
    <>
      {choices.map(({ label, isDanger = false }) => (
        <Button key={label} size="small" variant={isDanger ? 'danger' : 'secondary'} onClick={() => setAsked(label)}>
          {label}
        </Button>
      ))}
      {choice && (
        <ConfirmDialog
          title={choice.title}
          description={choice.description}
          confirmLabel={choice.label}
          variant={choice.isDanger ? 'danger' : 'primary'}
          isOpen
          onClose={() => {
            onCancel();
            setAsked(null);
          }}
          onConfirm={choice.onConfirm}
          isBusy={isBusy}
          error={error}
        />
      )}
    </>
  );
}
