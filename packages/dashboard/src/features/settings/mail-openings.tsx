import { MAX_OPENING_CHARS, type OpenedMail } from '@svc/contract';
import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { FetchedForm } from '../../ui/forms/fetched-form.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';

const MAILS = {
  invitation: {
    title: 'Invitation',
    description:
      'Partners get it when you invite them. Your paragraph comes first; what they earn and the button follow.',
  },
  welcome: {
    title: 'Approval',
    description: 'Applicants get it when you approve them. Your paragraph comes first.',
  },
} as const;

/** The brand’s own opening paragraphs of mails. */
export function MailOpenings({ programId }: { programId: number }) {
  const openings = useApiQuery('manageMailOpenings', { params: { program_id: programId } });
  return (
    <QueryState query={openings} lines={6}>
      {({ data }) =>
        (Object.keys(MAILS) as OpenedMail[]).map((mail) => (
          <FetchedForm key={mail} value={data[mail]}>
            {(saved) => <Opening programId={programId} mail={mail} saved={saved} />}
          </FetchedForm>
        ))
      }
    </QueryState>
  );
}

type OpeningProps = { programId: number; mail: OpenedMail; saved: string | null };

function Opening({ programId, mail, saved }: OpeningProps) {
  const toast = useToast();
  const { title, description } = MAILS[mail];
  const params = { program_id: programId };
  const [text, setText] = useState(saved ?? '');
  const update = useApiMutation('manageUpdateMailOpenings', () => toast('Changes saved'));
  const test = useApiMutation('manageTestMail', ({ sent_to: address }) => toast(`Test sent to ${address}`));
  const [shown, setShown] = useState<Data<'managePreviewMail'> | null>(null);
  const preview = useApiMutation('managePreviewMail', setShown);
  const draft = { mail, opening: text };
  return (
    <TitledCard title={title} description={description}>
      <Form error={update.error} onSubmit={() => update.mutate({ params, body: { [mail]: text || null } })}>
        <TextArea
          label="Your paragraph"
          name={mail}
          rows={4}
          maxLength={MAX_OPENING_CHARS}
          value={text}
          onChange={(event) => setText(event.target.value)}
          hint="Plain text without web addresses. Optional."
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" isBusy={update.isPending}>
            Save changes
          </Button>
          <Button isBusy={preview.isPending} onClick={() => preview.mutate({ params, body: draft })}>
            Preview
          </Button>
          <Button isBusy={test.isPending} onClick={() => test.mutate({ params, body: draft })}>
            Send me a test
          </Button>
        </div>
        <ErrorNotice error={preview.error ?? test.error} />
        {shown && (
          <section
            aria-label={`Preview of the ${title.toLowerCase()}`}
            className="space-y-3 rounded-lg border border-line bg-sunken px-4 py-3 text-sm"
          >
            <p className="font-medium wrap-anywhere">{shown.subject}</p>
            {shown.paragraphs.map((paragraph, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no identity
              <p key={index} className="wrap-anywhere">
                {paragraph}
              </p>
            ))}
            {shown.action && <p className="font-medium">[{shown.action}]</p>}
          </section>
        )}
      </Form>
    </TitledCard>
  );
}
