import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProgramId } from '../layout/program-id.ts';
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

/** A customer, linked to their journey. Long keys are cut off; hovering shows all of it. */
export function CustomerLink({ programId, customerId, label, className = 'max-w-48' }: CustomerLinkProps) {
  return (
    <Link
      to="/app/programs/$programId/customers/$customerId"
      params={{ programId, customerId: String(customerId) }}
      title={label}
      className={`${className} inline-block truncate align-bottom hover:underline`}
    >
      {label}
    </Link>
  );
}

const PAYOUT_PAGES = {
  brand: '/app/programs/$programId/payouts/$payoutId',
  partner: '/app/portal/$programId/payouts/$payoutId',
} as const;

type PayoutLinkProps = { viewer: keyof typeof PAYOUT_PAGES; payoutId: number; children: ReactNode };

/** A payout, linked to its page. */
export function PayoutLink({ viewer, payoutId, children }: PayoutLinkProps) {
  const programId = useProgramId();
  return (
    <Link
      to={PAYOUT_PAGES[viewer]}
      params={{ programId, payoutId: String(payoutId) }}
      className="underline hover:text-ink"
    >
      {children}
    </Link>
  );
}

type PartnerLinkProps = { programId: number; partnerId: number; children: ReactNode };

/** A partner, linked to their page. */
export function PartnerLink({ programId, partnerId, children }: PartnerLinkProps) {
  return (
    <Link
      to="/app/programs/$programId/partners/$partnerId"
      params={{ programId, partnerId: String(partnerId) }}
      className="hover:underline"
    >
      {children}
    </Link>
  );
}
