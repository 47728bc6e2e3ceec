import { CircleQuestionMark, Search } from 'lucide-react';
import { useRead } from '../../api/hooks.ts';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Card, PageHead } from '../../ui/layout/card.tsx';
import { useFilters, useProgramId } from '../../ui/layout/urls.ts';
import { Empty } from '../../ui/lists/empty.tsx';
import { DecisionList } from './decision-list.tsx';

const KINDS = [
  ['transaction_id', 'Transaction id'],
  ['customer_key', 'Customer key'],
  ['click_id', 'Click id'],
] as const;

/** “Where is my commission?”: every decision about a sale, a customer or a click, in sentences. */
export function Page() {
  const [{ by, q }, change] = useFilters();
  const kind = KINDS.find(([name]) => name === by)?.[0] ?? 'transaction_id';
  return (
    <>
      <PageHead
        title="Where is my commission?"
        words="Every signup, sale and refund leaves a row that says what was decided and why, refused ones too."
      />
      <Card className="mb-6 p-5">
        <search>
          <form
            key={`${kind} ${q ?? ''}`}
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              const values = new FormData(event.currentTarget);
              change({ by: String(values.get('by')), q: String(values.get('q')).trim() });
            }}
          >
            <div className="w-44">
              <SelectField label="Look for a" name="by" choices={KINDS} defaultValue={kind} />
            </div>
            <div className="min-w-56 flex-1">
              <TextField
                label="Its value"
                name="q"
                required
                maxLength={255}
                defaultValue={q ?? ''}
                placeholder="order_1001"
              />
            </div>
            <Button type="submit" look="primary">
              <Search size={16} aria-hidden /> Explain
            </Button>
          </form>
        </search>
      </Card>
      {q && <Answer kind={kind} value={q} />}
    </>
  );
}

function Answer({ kind, value }: { kind: (typeof KINDS)[number][0]; value: string }) {
  const programId = useProgramId();
  const decisions = useRead(
    'manageExplain',
    { params: { program_id: programId }, query: { [kind]: value } },
    { keep: false },
  );
  return (
    <Card>
      <Loaded read={decisions}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={CircleQuestionMark} title="Nothing was ever decided about it">
              No signup, sale or refund with this value has reached the service. Check that your server sends it, with
              the key of this program.
            </Empty>
          ) : (
            <DecisionList decisions={data} />
          )
        }
      </Loaded>
    </Card>
  );
}
