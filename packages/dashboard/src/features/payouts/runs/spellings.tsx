import type { Run } from '../../../api/payout-runs.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { ShowMore, useShownRows } from './show-more.tsx';

const FIELDS = { holder_name: 'Account holder', note: 'Note', payer_name: 'Your name' };

/** What banks read otherwise than it was written. */
export function Spellings({ run }: { run: Run }) {
  const { shown, more, onMore } = useShownRows(run.spellings);
  return (
    <Card>
      <p className="border-b border-line px-4 py-3 text-sm text-quiet md:px-5">
        Files for banks have fewer letters and less space. This is how the bank reads these texts.
      </p>
      <DataTable
        label="Spellings"
        rows={shown}
        rowKey={({ payout_id: id, field }) => `${id} ${field}`}
        columns={[
          { title: 'As written', cell: ({ from }) => <span className="break-words">{from}</span> },
          { title: 'In the file', cell: ({ to }) => <span className="break-words">{to}</span> },
          { title: 'What', showFrom: 'medium', isStacked: true, cell: ({ field }) => FIELDS[field] },
        ]}
      />
      <ShowMore more={more} onMore={onMore} />
    </Card>
  );
}
