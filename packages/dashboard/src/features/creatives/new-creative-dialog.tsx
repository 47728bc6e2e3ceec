import { CREATIVE_FILE_TYPES, type CreativeKind, MAX_CREATIVE_BYTES } from '@svc/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { Field, type Option } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { CommonFields, CreativeTextField, groupOf, UrlField } from './creative-fields.tsx';
import { readFile } from './read-file.ts';

const KINDS: Option<CreativeKind>[] = [
  ['file', 'File'],
  ['link', 'Link'],
  ['text', 'Text'],
];
const STATUSES: Option<'published' | 'draft'>[] = [
  ['published', 'Publish now'],
  ['draft', 'Keep as a draft'],
];

/** Adds a file, a link or a text for partners. */
export function NewCreativeDialog({ programId, onClose }: { programId: number; onClose: () => void }) {
  const toast = useToast();
  const [kind, setKind] = useState<CreativeKind>('file');
  const [file, setFile] = useState<File | null>(null);
  const addition = useApiMutation('manageAddCreative', ({ title, status }) => {
    onClose();
    toast(status === 'published' ? `${title} is published` : `${title} is saved as a draft`);
  });
  const adding = useMutation({
    mutationFn: async ({ title = '', group_id, status, url, text }: Record<string, string>) => {
      const content = kind === 'file' && file ? { file_name: file.name, content: await readFile(file) } : {};
      const about = { kind, title, group_id: groupOf(group_id), status: status === 'draft' ? 'draft' : 'published' };
      const body = { ...about, ...content, ...(url && { url }), ...(text && { text }) } as const;
      return addition.mutateAsync({ params: { program_id: programId }, body: body as never });
    },
  });
  return (
    <Dialog
      title="New creative"
      description="Partners find it in their portal, ready to download or copy."
      isOpen
      onClose={onClose}
    >
      <Form error={adding.error} onSubmit={(values) => !adding.isPending && adding.mutate(values)}>
        <SelectField label="Kind" name="kind" options={KINDS} value={kind} onValueChange={setKind} />
        {kind === 'file' && <FileField file={file} onChange={setFile} />}
        {kind === 'link' && <UrlField />}
        {kind === 'text' && <CreativeTextField />}
        <CommonFields programId={programId} />
        <SelectField label="Status" name="status" options={STATUSES} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={adding.isPending}>
            Add creative
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function FileField({ file, onChange }: { file: File | null; onChange: (file: File | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Field
      label="File"
      name="content"
      hint={`PNG, JPEG, WebP, GIF or PDF, at most ${MAX_CREATIVE_BYTES / 1024 / 1024} MB.`}
    >
      {(control) => (
        <div className="flex flex-wrap items-center gap-3">
          <input
            {...control}
            ref={input}
            type="file"
            name="content"
            required
            accept={CREATIVE_FILE_TYPES.join(',')}
            onChange={(event) => onChange(event.target.files?.[0] ?? null)}
            className="peer sr-only"
          />
          <Button
            onClick={() => input.current?.click()}
            tabIndex={-1}
            aria-hidden
            className="peer-focus-visible:ring-2"
          >
            {file ? 'Choose another file' : 'Choose a file'}
          </Button>
          <span className="min-w-0 truncate text-sm text-quiet">{file?.name ?? 'No file chosen'}</span>
        </div>
      )}
    </Field>
  );
}
