import { normalHost } from '@svc/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';

type LinkHost = Row<'manageDomains'>;
type DnsRecord = { type: string; name: string; value: string };

const DOCS = `${settings.base_url}/docs/guide/links#your-own-host`;

/** Hosts of the brand’s own that short links work on. */
export function LinkHosts({ programId }: { programId: number }) {
  const hosts = useApiQuery('manageDomains', { params: { program_id: programId } });
  return (
    <TitledCard
      title="Link host"
      description="Short links on a host of your own, such as go.example.com/jane, instead of ours. Choose a host that has no website yet."
    >
      <QueryState query={hosts}>
        {({ data }) => (
          <>
            {data.length > 0 && (
              <ul aria-label="Link hosts" className="mb-5 divide-y divide-line rounded-lg border border-line">
                {data.map((host) => (
                  <HostItem key={host.id} programId={programId} host={host} />
                ))}
              </ul>
            )}
            <Allowed route="manageAddDomain" to="add and change link hosts">
              <AddHost programId={programId} />
            </Allowed>
          </>
        )}
      </QueryState>
      <p className="mt-4 text-sm">
        <a href={DOCS} className="text-accent underline">
          Read how to set up a link host
        </a>
      </p>
    </TitledCard>
  );
}

function AddHost({ programId }: { programId: number }) {
  const toast = useToast();
  const addition = useApiMutation('manageAddDomain', () => toast('Link host added'));
  const wanted = addition.error?.details.record as DnsRecord | undefined;
  return (
    <>
      <Form
        className="space-y-4"
        error={addition.error}
        onSubmit={({ host = '' }, form) =>
          addition.mutate({ params: { program_id: programId }, body: { host } }, { onSuccess: () => form.reset() })
        }
      >
        <div className="flex items-end gap-2">
          <div className="flex-1">
            <TextField label="Add a host" name="host" required placeholder="go.example.com" />
          </div>
          <Button type="submit" isBusy={addition.isPending}>
            <Plus size={16} aria-hidden /> Add
          </Button>
        </div>
      </Form>
      {wanted && (
        <div className="mt-4">
          <RecordDetails record={wanted} />
        </div>
      )}
    </>
  );
}

function HostItem({ programId, host: { id, host, status, record } }: { programId: number; host: LinkHost }) {
  const toast = useToast();
  const [isRemoving, setRemoving] = useState(false);
  const verification = useApiMutation('manageVerifyDomain', () => toast(`Links work on ${host} now`));
  const params = { program_id: programId, domain_id: id };
  return (
    <li className="space-y-4 px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Identifier>{host}</Identifier>
        <StatusBadge status={status} />
        <Allowed route="manageDeleteDomain">
          <div className="ml-auto flex gap-2">
            {status === 'pending' && (
              <Button
                size="small"
                variant="primary"
                isBusy={verification.isPending}
                onClick={() => verification.mutate({ params })}
              >
                Verify
              </Button>
            )}
            <Button size="small" aria-label={`Remove ${host}`} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </div>
        </Allowed>
      </div>
      {status === 'pending' ? <PendingHelp host={host} record={record} /> : <ActiveHelp host={host} />}
      {verification.error && (
        <div role="alert">
          <Notice tone="bad">{verification.error.message}</Notice>
        </div>
      )}
      {isRemoving && <RemoveHost params={params} host={host} onClose={() => setRemoving(false)} />}
    </li>
  );
}

/** What to enter at the provider of the domain. */
function PendingHelp({ host, record }: { host: string; record: DnsRecord }) {
  return (
    <ol className="list-decimal space-y-3 pl-5 text-sm">
      <li>
        Set this record at your DNS provider. It proves that the host is yours.
        <div className="mt-2">
          <RecordDetails record={record} />
        </div>
      </li>
      <li>
        Point the host to us.
        <div className="mt-2">
          <RecordDetails record={pointing(host)} />
        </div>
      </li>
      <li>Press Verify. A new record can take an hour to be seen.</li>
    </ol>
  );
}

function ActiveHelp({ host }: { host: string }) {
  const start = `${new URL(settings.base_url).protocol}//${host}/`;
  return (
    <p className="text-sm text-quiet">
      Short links start with {start}. The first visit takes a moment longer while the certificate is issued.
    </p>
  );
}

/** The record that leads visitors of the host to the service. */
function pointing(host: string): DnsRecord {
  const { hostname } = new URL(settings.base_url);
  return { type: normalHost(hostname) === null ? 'A' : 'CNAME', name: host, value: hostname };
}

function RecordDetails({ record: { type, name, value } }: { record: DnsRecord }) {
  return (
    <div className="rounded-lg border border-line bg-sunken px-4 py-3">
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr] sm:items-center">
        <dt className="text-quiet">Type</dt>
        <dd>{type}</dd>
        <dt className="text-quiet">Name</dt>
        <Copyable text={name} label={`Copy the name of the ${type} record`} />
        <dt className="text-quiet">Value</dt>
        <Copyable text={value} label={`Copy the value of the ${type} record`} />
      </dl>
    </div>
  );
}

function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <dd className="flex items-center gap-2">
      <span className="min-w-0 font-mono text-caption wrap-anywhere">{text}</span>
      <CopyButton text={text} label={label} isIconOnly />
    </dd>
  );
}

type RemoveHostProps = { params: { program_id: number; domain_id: number }; host: string; onClose: () => void };

function RemoveHost({ params, host, onClose }: RemoveHostProps) {
  const toast = useToast();
  const removal = useApiMutation('manageDeleteDomain', () => {
    toast('Link host removed');
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Remove ${host}?`}
      description="Links on this host stop working at once, also those that partners have already shared."
      confirmLabel="Remove"
      isOpen
      onClose={onClose}
      onConfirm={() => removal.mutate({ params })}
      isBusy={removal.isPending}
      error={removal.error}
    />
  );
}
