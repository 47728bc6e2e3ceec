import type { BookAccount } from '@svc/contract';
import { currencyExponent } from '@svc/contract';
import type { BookedKind } from './book-entry-store.ts';
import type { BookEntry, BookedColumn } from './book-store.ts';

/** A change of an account, in the smallest unit of the currency. Debits are positive, credits negative. */
export type Posting = { account: string; cents: bigint };

const CREDITED: Record<BookedColumn, BookAccount> = {
  pending_cents: 'Liabilities:Pending',
  payable_cents: 'Liabilities:Payable',
  in_payouts_cents: 'Liabilities:InPayouts',
  credits_cents: 'Liabilities:Credits',
  paid_cents: 'Assets:Payouts',
};
const COLUMNS = Object.keys(CREDITED) as BookedColumn[];

/** The accounts with what sums of entries add to them. They add up to zero. */
export function accountsOf(sums: Record<BookedColumn, string>): { account: BookAccount; cents: bigint }[] {
  const credited = COLUMNS.map((column) => ({ account: CREDITED[column], cents: -BigInt(sums[column]) }));
  const creditCents = BigInt(sums.credits_cents);
  const commissionCents = -credited.reduce((sum, { cents }) => sum + cents, 0n) - creditCents;
  const expenses = [
    { account: 'Expenses:Commissions' as const, cents: commissionCents },
    { account: 'Expenses:Credits' as const, cents: creditCents },
  ];
  return [...expenses, ...credited].filter(({ cents }) => cents !== 0n);
}

const OF_PARTNERS: BookAccount[] = ['Liabilities:Pending', 'Liabilities:Payable', 'Liabilities:InPayouts'];

/** What an entry changes. Partners have accounts of their own for what is owed to them. */
export function postingsOf(entry: BookEntry): Posting[] {
  return accountsOf(entry).map(({ account, cents }) => {
    const isOwn = entry.partnerId !== null && OF_PARTNERS.includes(account);
    return { account: isOwn ? `${account}:P-${entry.partnerId}` : account, cents };
  });
}

const SENTENCES: Record<BookedKind, string> = {
  commission_created: 'Commission earned',
  commission_approved: 'Commission approved after its hold',
  commission_reviewed: 'Commission approved, rejected or restored',
  commission_deducted: 'Commission changed by refunds',
  commission_revoked: 'Commission taken back',
  credit_granted: 'Credit granted to a customer',
  credit_reversed: 'Credit changed by refunds',
  credit_revoked: 'Credit taken back',
  payout_created: 'Payout created',
  payout_paid: 'Payout paid',
  payout_undone: 'Payout failed, returned or cancelled',
  opening_balance: 'Opening balance',
};

export const describeEntry = ({ kind }: BookEntry) => SENTENCES[kind];

/** What an entry is about, such as `commission-901`. */
export function subjectOf({ commissionId, payoutId, creditId }: BookEntry): string | null {
  if (commissionId !== null) return `commission-${commissionId}`;
  if (payoutId !== null) return `payout-${payoutId}`;
  return creditId === null ? null : `credit-${creditId}`;
}

export const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** An amount in the currency's own number of decimals: `-20.00`, `-2000`, `-2.000`. */
export function decimalOf(cents: bigint, currency: string): string {
  const exponent = currencyExponent(currency);
  const digits = (cents < 0n ? -cents : cents).toString().padStart(exponent + 1, '0');
  const [whole, rest] = [digits.slice(0, digits.length - exponent), digits.slice(digits.length - exponent)];
  return `${cents < 0n ? '-' : ''}${whole}${exponent > 0 ? `.${rest}` : ''}`;
}

/** The balances of all accounts that entries changed. */
export class Balances {
  readonly #cents = new Map<string, Map<string, bigint>>();
  lastDay = '';

  add(entry: BookEntry): void {
    const day = dayOf(entry.at);
    if (day > this.lastDay) this.lastDay = day;
    for (const { account, cents } of postingsOf(entry)) {
      const balances = this.#cents.get(account) ?? new Map<string, bigint>();
      this.#cents.set(account, balances.set(entry.currency, (balances.get(entry.currency) ?? 0n) + cents));
    }
  }

  has(account: string): boolean {
    return this.#cents.has(account);
  }

  list(): { account: string; currency: string; cents: bigint }[] {
    const listed = [...this.#cents].flatMap(([account, balances]) =>
      [...balances].map(([currency, cents]) => ({ account, currency, cents })),
    );
    return listed.sort((one, other) =>
      `${one.account} ${one.currency}` < `${other.account} ${other.currency}` ? -1 : 1,
    );
  }
}
