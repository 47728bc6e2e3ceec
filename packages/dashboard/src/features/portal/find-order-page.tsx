import { Search } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { type Option, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { Contact } from './contact.tsx';
import { OrderAnswers } from './order-answers.tsx';

type Field = 'transaction_id' | 'email';

const FIELDS: Option<Field>[] = [
  ['transaction_id', 'Order or transaction ID'],
  ['email', 'Customer’s email'],
];
const HINTS: Record<Field, string> = {
  transaction_id: 'Exactly as on the receipt.',
  email: 'We look only among people who clicked your links.',
};

/** Answers a partner who misses a sale: whether it is known, whose it is, and why it is not theirs. */
export function Page() {
  const programId = useProgramId();
  const me = useApiQuery('manageMe').data?.data;
  const membership = me?.partner_of.find(({ program_id: id }) => id === programId);
  const [field, setField] = useState<Field>('transaction_id');
  const question = useApiMutation('manageAskAboutOrder');
  const ask = (values: Record<string, string>) =>
    question.mutate({ params: { program_id: programId }, body: { [field]: values[field] ?? '' } });
  const result = question.data?.data;
  return (
    <>
      <PageHeader
        title="Find an order"
        description="Missing a sale? Find out whether we know the order, and why it is or isn’t credited to you."
      />
      <div className="max-w-2xl space-y-6">
        <Card className="p-5">
          <Form guardsChanges={false} onSubmit={ask} error={question.error} label="Find an order">
            <div className="grid gap-4 sm:grid-cols-2">
              <SelectField
                label="Search by"
                options={FIELDS}
                value={field}
                onValueChange={(next) => {
                  setField(next);
                  question.reset();
                }}
              />
              <TextField
                key={field}
                label={field === 'email' ? 'Email' : 'Order ID'}
                name={field}
                type={field === 'email' ? 'email' : 'text'}
                required
                maxLength={255}
                hint={HINTS[field]}
              />
            </div>
            <Button type="submit" variant="primary" isBusy={question.isPending}>
              <Search size={16} aria-hidden /> Find it
            </Button>
          </Form>
        </Card>
        <div aria-live="polite" className="space-y-6 empty:hidden">
          {result && <OrderAnswers answers={result.answers} left={result.questions_left} />}
        </div>
        <Contact membership={membership} />
      </div>
    </>
  );
}
