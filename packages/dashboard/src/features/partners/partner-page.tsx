import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '../../api/hooks.ts';
import { Funnel } from '../../ui/charts/funnel.tsx';
import { currencyOf, NumberRow } from '../../ui/charts/numbers.tsx';
import { Trend } from '../../ui/charts/trend.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { PageHead, TitledCard } from '../../ui/layout/card.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { brandPath, useProgramId } from '../../ui/layout/urls.ts';
import { PeriodPicker, usePeriod } from '../../ui/lists/period-picker.tsx';
import { Money } from '../../ui/records/money.tsx';

/** What one partner brought in, and what they have coming. */
export function Page() {
  const programId = useProgramId();
  const partnerId = Number((useParams({ strict: false }) as { partnerId?: string }).partnerId);
  const { from, to } = usePeriod();
  const params = { program_id: programId };
  const report = useRead('managePerformance', {
    params,
    query: { from, to, partner_id: partnerId, group_by: 'partner', limit: 1 },
  });
  const balances = useRead('manageBalances', { params, query: { partner_id: partnerId } });
  const links = useRead('manageLinks', { params, query: { partner_id: partnerId, limit: 1 } });
  const name =
    report.data?.data.groups[0]?.name ??
    balances.data?.data[0]?.partner_name ??
    links.data?.data[0]?.partner_name ??
    'Partner';
  const elsewhere = [
    ['links', 'Links'],
    ['customers', 'Customers'],
    ['sales', 'Sales'],
    ['commissions', 'Commissions'],
  ] as const;
  return (
    <>
      <PageHead title={name}>
        <PeriodPicker />
      </PageHead>
      <nav aria-label="More about this partner" className="mb-6 flex flex-wrap gap-2">
        {elsewhere.map(([page, title]) => (
          <Link
            key={page}
            to={brandPath(programId, page)}
            search={{ partner_id: String(partnerId) } as never}
            className={buttonClass({ size: 'small' })}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Loaded read={report} lines={8}>
        {({ data }) => (
          <div className="space-y-6">
            <NumberRow report={data} currency={currencyOf(data)} commissionTitle="Commission" />
            <Trend report={data} currency={currencyOf(data)} />
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <Funnel funnel={data.funnel} />
              <TitledCard title="Has coming">
                <Loaded read={balances}>
                  {({ data: rows }) =>
                    rows.length === 0 ? (
                      <p className="text-sm text-quiet">Nothing yet.</p>
                    ) : (
                      <div className="space-y-5">
                        {rows.map((row) => (
                          <Details
                            key={row.currency}
                            rows={[
                              ['On hold', <Money key="1" cents={row.pending_cents} currency={row.currency} />],
                              ['Approved', <Money key="2" cents={row.approved_cents} currency={row.currency} />],
                              ['Carried over', <Money key="3" cents={row.carried_cents} currency={row.currency} />],
                              [
                                'Payable',
                                <strong key="4">
                                  <Money cents={row.payable_cents} currency={row.currency} />
                                </strong>,
                              ],
                            ]}
                          />
                        ))}
                      </div>
                    )
                  }
                </Loaded>
              </TitledCard>
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}
