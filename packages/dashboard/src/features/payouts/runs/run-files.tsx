import { urlOf } from '../../../api/client.ts';
import type { Run } from '../../../api/payout-runs.ts';
import { useMay } from '../../../api/rights.ts';
import { countOf } from '../../../rules/bulk.ts';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { FileLink } from '../../../ui/lists/file-link.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { Money } from '../../../ui/records/money.tsx';
import { FILES } from './run-words.ts';

type RunFile = Run['files'][number];

/** The files of a run, which are the same whenever they are downloaded. */
export function RunFiles({ programId, run }: { programId: number; run: Run }) {
  const mayDownload = useMay(programId, 'managePayoutFile');
  const hrefOf = ({ name, currency, part }: RunFile) =>
    urlOf('managePayoutFile', {
      params: { program_id: programId, run_id: run.id, file: name },
      query: { ...(currency !== null && { currency }), part: String(part) },
    });
  return (
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
              {run.status === 'approved' && <div className="text-caption text-quiet">{FILES[file.name].to}</div>}
            </>
          ),
        },
        {
          title: 'Contains',
          showFrom: 'medium',
          isStacked: true,
          cell: ({ rows }) => countOf(rows, 'payouts'),
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
          cell: ({ sha256 }) =>
            sha256 === null ? (
              '–'
            ) : (
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
              <FileLink href={hrefOf(file)} label={`Download ${titleOf(file, run.files)}`} size="small" isNamedBeside />
            ),
        },
      ]}
    />
  );
}

/** The name of a file, with what tells it from the others. */
function titleOf({ name, currency, part }: RunFile, files: readonly RunFile[]): string {
  const hasParts = files.filter((file) => file.name === name && file.currency === currency).length > 1;
  return [FILES[name].title, currency, hasParts && `part ${part}`].filter(Boolean).join(', ');
}
