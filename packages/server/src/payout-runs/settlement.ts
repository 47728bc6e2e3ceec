import type { PayoutStatus } from '../payouts/payout-store.ts';

/** What became of a payout. */
export type Outcome = 'paid' | 'failed' | 'returned';

/** Whether a payout of a sent run can become this. What no file holds is paid by hand, so it stays open until then. */
export function canBecome(outcome: Outcome, { status, notInFile }: { status: PayoutStatus; notInFile: string | null }) {
  switch (outcome) {
    case 'paid':
      return status === 'sent' || (status === 'open' && notInFile !== null);
    case 'failed':
      return status === 'sent' || (status === 'open' && notInFile !== null);
    case 'returned':
      return status === 'sent' || status === 'paid';
  }
}

const NO_REASON = {
  failed: 'The payment failed. No reason was given.',
  returned: 'The payment came back. No reason was given.',
};

/** Why a payout did not arrive, in words: those of a person, those for the code, or the code itself. */
export function reasonFor(
  outcome: 'failed' | 'returned',
  { reason, code }: { reason: string | null; code: string | null },
  describe: (code: string) => { says: string; todo: string } | null,
): string {
  if (reason) return reason;
  const known = code === null ? null : describe(code);
  if (known) return `${known.says} ${known.todo}`;
  return code ? `The bank or payment service says ${code}.` : NO_REASON[outcome];
}
