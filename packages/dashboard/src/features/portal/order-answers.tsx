import type { Data } from '../../api/client.ts';
import { capitalize } from '../../rules/label.ts';
import { formatMoney } from '../../rules/money.ts';
import { formatDay } from '../../rules/time.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { type DetailRow, Details } from '../../ui/layout/details.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Time } from '../../ui/records/time.tsx';

type Answer = Data<'manageAskAboutOrder'>['answers'][number];

const LABELS: Record<Answer['answer'], [Tone, string]> = {
  credited: ['good', 'Credited to you'],
  recorded_without_commission: ['neutral', 'Yours, without a commission'],
  window_expired: ['warn', 'Click too old'],
  not_recorded: ['warn', 'Not recorded'],
  credited_to_another: ['neutral', 'Credited to another partner'],
  not_yours: ['neutral', 'Not through your links'],
  no_order_yet: ['neutral', 'Your customer, no order yet'],
  unknown: ['neutral', 'Not found'],
};

const FEW = 10;

/** What is known about the orders that the partner asked about. */
export function OrderAnswers({ answers, left }: { answers: Answer[]; left: number | null }) {
  return (
    <>
      <Card>
        <ul className="divide-y divide-line">
          {answers.map((answer) => {
            const [tone, label] = LABELS[answer.answer];
            const rows = detailsOf(answer);
            return (
              <li key={answer.transaction_id ?? answer.answer} className="space-y-3 px-5 py-4">
                <Badge tone={tone}>{label}</Badge>
                <p>{answer.sentence}</p>
                {rows.length > 0 && <Details rows={rows} />}
              </li>
            );
          })}
        </ul>
      </Card>
      {left !== null && left <= FEW && (
        <p className="text-sm text-quiet">
          {left === 1 ? 'You can ask 1 more question today.' : `You can ask ${left} more questions today.`}
        </p>
      )}
    </>
  );
}

function detailsOf({ transaction_id: id, paid_at: paidAt, commission, ...answer }: Answer): DetailRow[] {
  const { amount_cents: amount, refunded_cents: refunded, currency } = answer;
  const rows: (DetailRow | null)[] = [
    id ? ['Order', <Identifier key="id">{id}</Identifier>] : null,
    paidAt ? ['Date', <Time key="at" at={paidAt} />] : null,
    amount && currency ? ['Amount', formatMoney(amount, currency)] : null,
    refunded && currency ? ['Refunded', formatMoney(refunded, currency)] : null,
    commission ? ['Commission', formatMoney(commission.amount_cents, commission.currency)] : null,
    commission ? ['Status', <StatusBadge key="status" status={commission.status} />] : null,
    commission?.terms ? ['Paid by', capitalize(commission.terms)] : null,
    commission?.approved_on ? ['Approval', formatDay(commission.approved_on)] : null,
  ];
  return rows.filter((row) => row !== null);
}
