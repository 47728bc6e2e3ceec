import { Link } from '@tanstack/react-router';
import { Identifier } from './identifier.tsx';

type TransactionLinkProps = { programId: number; transactionId: string };

/** A transaction, linked to the explanation of what happened to it. */
export function TransactionLink({ programId, transactionId }: TransactionLinkProps) {
  return (
    <Link
      to="/app/programs/$programId/explain"
      params={{ programId }}
      search={{ by: 'transaction_id', q: transactionId }}
      className="inline-block min-w-28 hover:underline"
    >
      <Identifier>{transactionId}</Identifier>
    </Link>
  );
}

type CustomerLinkProps = { programId: number; customerId: number; label: string; className?: string };

/** A customer, linked to their journey. */
export function CustomerLink({ programId, customerId, label, className = '' }: CustomerLinkProps) {
  return (
    <Link
      to="/app/programs/$programId/customers/$customerId"
      params={{ programId, customerId: String(customerId) }}
      className={`${className} hover:underline`}
    >
      {label}
    </Link>
  );
}
