import { useSearch } from '@tanstack/react-router';
import { CircleQuestionMark, Search } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { type Option, TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { type SearchParams, useSearchParams } from '../../ui/layout/search-params.ts';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { DecisionList } from './decision-list.tsx';

type Field = NonNullable<SearchParams['by']>;

const FIELDS: Option<Field>[] = [
  ['transaction_id', 'Transaction ID'],
  ['customer_key', 'Customer key'],
  ['click_id', 'Click ID'],
];

/** Answers “Where is my commission?” with every decision about a sale, customer or click. */
export function Page() {
  const { by = 'transaction_id', q } = useSearch({ from: '/app/programs/$programId/explain' });
  const [, setSearch] = useSearchParams();
  const search = (values: FormData) =>
    setSearch({
      by: FIELDS.find(([field]) => field === values.get('by'))?.[0],
      q: String(values.get('q')).trim(),
    });
  return (
    <>
      <PageHeader
        title="Explain"
        description="Find out why a signup, sale or refund was accepted or rejected, and who it was attributed to."
      />
      <Card className="mb-6 p-5">
        <search>
          <form
            key={`${by} ${q ?? ''}`}
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              search(new FormData(event.currentTarget));
            }}
          >
            <div className="w-44">
              <SelectField label="Search by" name="by" options={FIELDS} defaultValue={by} />
            </div>
            <div className="min-w-56 flex-1">
              <TextField
                label="Value"
                name="q"
                required
                maxLength={255}
                defaultValue={q ?? ''}
                placeholder="order_1001"
              />
            </div>
            <Button type="submit" variant="primary">
              <Search size={16} aria-hidden /> Explain
            </Button>
          </form>
        </search>
      </Card>
      {q ? (
        <Explanation field={by} value={q} />
      ) : (
        <Card>
          <EmptyState icon={CircleQuestionMark} title="Where is my commission?">
            Enter what you know about a sale, customer or click. You’ll see every decision about it, with the reason.
          </EmptyState>
        </Card>
      )}
    </>
  );
}

function Explanation({ field, value }: { field: Field; value: string }) {
  const programId = useProgramId();
  const decisions = useApiQuery(
    'manageExplain',
    { params: { program_id: programId }, query: { [field]: value } },
    { keepPrevious: false },
  );
  return (
    <Card>
      <QueryState query={decisions}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={CircleQuestionMark} title="Nothing found">
              We haven’t received a signup, sale or refund with this value. Check that your server sends it with this
              program’s API key.
            </EmptyState>
          ) : (
            <DecisionList decisions={data} />
          )
        }
      </QueryState>
    </Card>
  );
}
