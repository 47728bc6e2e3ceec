import { BOOK_ACCOUNTS } from '@svc/contract';
import { BookOpen } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { formatMoney } from '../../rules/money.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FileLink } from '../../ui/lists/file-link.tsx';
import { Time } from '../../ui/records/time.tsx';

/** The double-entry books: balances of all accounts, the last proof, and the whole as files. */
export function Books() {
  return (
    <Allowed route="manageBooks" to="see the books">
      <Accounts />
    </Allowed>
  );
}

function Accounts() {
  const params = { program_id: useProgramId() };
  const books = useApiQuery('manageBooks', { params });
  return (
    <QueryState query={books}>
      {({ data: { accounts, last_proof: proof } }) => (
        <div className="space-y-4">
          <div className="flex flex-wrap items-center gap-2">
            <p className="mr-auto text-sm text-quiet">
              {proof ? (
                <>
                  Compared with commissions and payouts <Time at={proof.at} isRelative />.
                </>
              ) : (
                'Compared with commissions and payouts once a day. The first comparison is still to come.'
              )}
            </p>
            <FileLink href={urlOf('manageExportBeancount', { params })} label="For Beancount" size="small" />
            <FileLink href={urlOf('manageExportJournal', { params })} label="For hledger" size="small" />
          </div>
          {proof && !proof.agrees && (
            <Notice tone="bad">
              The books do not agree with commissions and payouts. Check the amounts before you pay anyone.
            </Notice>
          )}
          <Card>
            {accounts.length === 0 ? (
              <EmptyList icon={BookOpen} noun="entries" isFiltered={false}>
                Every commission, refund and payout is entered here as it happens.
              </EmptyList>
            ) : (
              <DataTable
                label="Accounts"
                rows={accounts}
                rowKey={({ account, currency }) => `${account} ${currency}`}
                columns={[
                  { title: 'Account', cell: ({ account }) => <span className="font-medium">{account}</span> },
                  {
                    title: 'What it holds',
                    showFrom: 'medium',
                    isStacked: true,
                    cell: ({ account }) => BOOK_ACCOUNTS[account],
                  },
                  {
                    title: 'Balance',
                    isRightAligned: true,
                    // Not in red: what is owed is below zero in books, and nothing is wrong with that.
                    cell: ({ balance_cents: cents, currency }) => formatMoney(cents, currency),
                  },
                ]}
              />
            )}
          </Card>
        </div>
      )}
    </QueryState>
  );
}
