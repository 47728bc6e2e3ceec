type ListedEvent = { outcome: string | null; customer_id: number | null; transaction_id: string | null };

const MATCHED_NOBODY = ['no_customer', 'test_no_customer'];

/** Whether the newest payment among the events was matched to a customer. Undefined if none of them tells. */
export function isLastPaymentMatched(events: ListedEvent[]): boolean | undefined {
  const isUnmatched = ({ outcome }: ListedEvent) => MATCHED_NOBODY.includes(outcome ?? '');
  const isMatched = (event: ListedEvent) => event.customer_id !== null && event.transaction_id !== null;
  const last = events.find((event) => isUnmatched(event) || isMatched(event));
  return last && !isUnmatched(last);
}
