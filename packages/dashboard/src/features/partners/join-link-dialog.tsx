import { useAction, useRead } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { SelectField } from '../../ui/forms/field.tsx';

const JOINING = [
  ['closed', 'Nobody: by invitation only'],
  ['on_approval', 'Anybody may apply, and you approve'],
  ['open', 'Anybody, at once'],
] as const;

type JoinLinkDialogProps = { programId: number; isOpen: boolean; onClose: () => void };

/** The link that people become partners with by themselves, and who may. */
export function JoinLinkDialog({ programId, isOpen, onClose }: JoinLinkDialogProps) {
  const say = useToast();
  const params = { program_id: programId };
  const program = useRead('manageProgram', { params });
  const updating = useAction('manageUpdateProgram', () => say('Saved'));
  const renewing = useAction('manageRenewJoinLink', () => say('The link before it has stopped'));
  const error = updating.error ?? renewing.error;
  return (
    <Dialog
      title="Join link"
      words="Put it on your site or in a newsletter. Whoever follows it makes an account and asks to become a partner."
      isOpen={isOpen}
      onClose={onClose}
    >
      <Loaded read={program}>
        {({ data: { joining, join_url: url } }) => (
          <div className="space-y-5">
            <div role="alert">{error && <Notice tone="bad">{error.message}</Notice>}</div>
            <SelectField
              label="Who may join"
              choices={JOINING}
              value={joining}
              disabled={updating.isPending}
              onChange={({ target }) => {
                updating.mutate({ params, body: { joining: target.value as typeof joining } });
              }}
            />
            {url && <CodeBlock text={url} label="Copy the join link" />}
            <div className="flex justify-end gap-2">
              {url && (
                <Button onClick={() => renewing.mutate({ params })} isBusy={renewing.isPending}>
                  Make a new link
                </Button>
              )}
              <Button look="primary" onClick={onClose}>
                Done
              </Button>
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
