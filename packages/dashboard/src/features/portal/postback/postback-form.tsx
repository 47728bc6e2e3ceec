import { fillPostback, MAX_POSTBACK_CHARS, postbackProblem, SAMPLE_POSTBACK, tellsReversals } from '@svc/contract';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { type Option, TextArea } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { Macros } from './macros.tsx';
import type { Postback } from './postback.ts';

type Method = Postback['method'];

const METHODS: Option<Method>[] = [
  ['GET', 'GET'],
  ['POST', 'POST, without a body'],
];

/** Sets up the URL, with its macros to insert and a preview. */
export function PostbackForm({ programId, postback }: { programId: number; postback: Postback | null }) {
  const toast = useToast();
  const [url, setUrl] = useState(postback?.url ?? '');
  const area = useRef<HTMLTextAreaElement>(null);
  const saving = useApiMutation('manageSavePostback', () => toast('Postback saved'));
  const insert = (macro: string) => {
    const control = area.current;
    const [start, end] = [control?.selectionStart ?? url.length, control?.selectionEnd ?? url.length];
    setUrl(url.slice(0, start) + macro + url.slice(end));
    // Typing goes on behind the macro, once it is in the field.
    requestAnimationFrame(() => {
      control?.focus();
      control?.setSelectionRange(start + macro.length, start + macro.length);
    });
  };
  const save = ({ method = 'GET' }: Record<string, string>) =>
    saving.mutate({ params: { joined_program_id: programId }, body: { method: method as Method, url } });
  return (
    <TitledCard
      title="What is called"
      description="Called when one of your commissions is created, approved, rejected, reversed, restored or paid. Failed calls are retried for about a day."
    >
      <Form onSubmit={save} error={saving.error} label="Postback">
        <TextArea
          ref={area}
          label="URL"
          name="url"
          rows={3}
          required
          spellCheck={false}
          maxLength={MAX_POSTBACK_CHARS}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          placeholder="https://tracker.example/postback?click={click_id}&payout={commission}&status={status}"
          className="font-mono text-caption break-all"
          hint="If your tracker asks for a secret token, make it part of the URL."
        />
        <Macros onInsert={insert} />
        <SelectField label="Method" name="method" options={METHODS} defaultValue={postback?.method ?? 'GET'} />
        <Preview url={url.trim()} />
        <Button type="submit" variant="primary" isBusy={saving.isPending}>
          {postback ? 'Save changes' : 'Save postback'}
        </Button>
      </Form>
    </TitledCard>
  );
}

/** The URL with sample values, or what is wrong with it, while it is typed. */
function Preview({ url }: { url: string }) {
  const problem = url === '' ? null : postbackProblem(url);
  return (
    <div className="space-y-3">
      <section aria-label="Preview" className="rounded-lg border border-line bg-sunken px-4 py-3 text-sm">
        <h3 className="mb-1 font-medium">Preview with sample values</h3>
        <div aria-live="polite">
          {url === '' && <p className="text-quiet">Enter a URL to see what is called.</p>}
          {url !== '' && problem && <p className="text-bad">{problem}</p>}
          {url !== '' && !problem && <Identifier>{fillPostback(url, SAMPLE_POSTBACK)}</Identifier>}
        </div>
      </section>
      {url !== '' && !problem && !tellsReversals(url) && (
        <Notice tone="warn">
          Without {'{status}'} or {'{event}'}, your tracker can’t tell these calls apart: approved and paid commissions
          look like new ones. Reversals are not reported at all.
        </Notice>
      )}
    </div>
  );
}
