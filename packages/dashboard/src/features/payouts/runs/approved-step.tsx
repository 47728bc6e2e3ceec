import { Download } from 'lucide-react';
import { useState } from 'react';
import { urlOf } from '../../../api/client.ts';
import { useOnceMutation } from '../../../api/hooks.ts';
import type { Run } from '../../../api/payout-runs.ts';
import { useMay } from '../../../api/rights.ts';
import { countOf } from '../../../rules/bulk.ts';
import { formatCount } from '../../../rules/money.ts';
import { FILES } from '../../../rules/payout-run.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button, buttonClass } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { Money } from '../../../ui/records/money.tsx';
import { CancelRun } from './cancel-run.tsx';

type StepProps = { programId: number; run: Run };
type RunFile = Run['files'][number];

/** The files are uploaded elsewhere, then the run is marked as sent. */
export function ApprovedStep({ programId, run }: StepProps) {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const sending = useOnceMutation('manageSendPayoutRun', () => toast(`Payout run ${run.number} marked as sent`));
  const byHand = run.payouts.filter(({ not_in_file: why }) => why !== null).length;
  return (
    <TitledCard
      title="Send the money"
      description="Download each file once, upload it to your bank or payment service, and then mark the run as sent."
    >
      <div className="space-y-4">
        <RunFiles programId={programId} run={run} />
        {byHand > 0 && (
          <Notice tone="warn">
            {countOf(byHand, 'payouts')} {byHand === 1 ? 'is' : 'are'} in no file for a bank. Pay{' '}
            {byHand === 1 ? 'it' : 'them'} by hand.
          </Notice>
        )}
        <Allowed route="manageSendPayoutRun" to="mark runs as sent">
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="primary" onClick={() => setAsking(true)}>
              Mark as sent…
            </Button>
            <CancelRun programId={programId} run={run} />
          </div>
        </Allowed>
      </div>
      <ConfirmDialog
        title={`Mark payout run ${run.number} as sent?`}
        description="Do this once your bank and payment services have the files. The run can’t be canceled afterwards."
        confirmLabel="Mark as sent"
        variant="primary"
        isOpen={isAsking}
        onClose={() => {
          sending.reset();
          setAsking(false);
        }}
        onConfirm={() => sending.mutate({ params: { program_id: programId, run_id: run.id } })}
        isBusy={sending.isPending}
        error={sending.error}
      />
    </TitledCard>
  );
}

/** The files of a run, which are the same whenever they are downloaded. */
export function RunFiles({ programId, run }: StepProps) {
  const mayDownload = useMay(programId, 'managePayoutFile');
  const hrefOf = ({ name, currency, part }: RunFile) =>
    urlOf('managePayoutFile', {
      params: { program_id: programId, run_id: run.id, file: name },
      query: { ...(currency !== null && { currency }), part: String(part) },
    });
  return (
    <div className="rounded-lg border border-line">
      <DataTable
        label="Files"
        rows={run.files}
        rowKey={({ name, currency, part }) => `${name} ${currency} ${part}`}
        columns={[
          {
            title: 'File',
            cell: (file) => (
              <>
                <span className="font-medium">{titleOf(file, run.files)}</span>
                <div className="text-caption text-quiet">{FILES[file.name].to}</div>
              </>
            ),
          },
          {
            title: 'Payouts',
            isRightAligned: true,
            showFrom: 'medium',
            isStacked: true,
            cell: ({ rows }) => formatCount(rows),
          },
          {
            title: 'Sum',
            isRightAligned: true,
            cell: ({ amount_cents: cents, currency }) =>
              cents === null || currency === null ? '–' : <Money cents={cents} currency={currency} />,
          },
          {
            title: 'SHA-256',
            showFrom: 'wide',
            cell: ({ sha256 }) => (
              <span title={sha256}>
                <Identifier>{`${sha256.slice(0, 12)}…`}</Identifier>
              </span>
            ),
          },
          {
            title: 'Download',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (file) =>
              mayDownload && (
                <a
                  href={hrefOf(file)}
                  download
                  aria-label={`Download ${titleOf(file, run.files)}`}
                  className={buttonClass({ size: 'small' })}
                >
                  <Download size={14} aria-hidden /> <span className="max-sm:sr-only">Download</span>
                </a>
              ),
          },
        ]}
      />
    </div>
  );
}

/** The name of a file, with what tells it from the others. */
function titleOf({ name, currency, part }: RunFile, files: readonly RunFile[]): string {
  const hasParts = files.filter((file) => file.name === name && file.currency === currency).length > 1;
  return [FILES[name].title, currency, hasParts && `part ${part}`].filter(Boolean).join(', ');
}
