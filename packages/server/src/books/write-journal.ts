import { currencyExponent } from '@svc/contract';
import type { BookEntry } from './book-store.ts';
import { Balances, dayOf, decimalOf, describeEntry, postingsOf, subjectOf } from './journal.ts';

/** The books as hledger and ledger read them, with declarations for strict checks. */
export async function* writeJournal(entries: AsyncIterable<BookEntry[]>): AsyncGenerator<string> {
  const balances = new Balances();
  const currencies = new Set<string>();
  yield '; Affiliate commissions\n';
  for await (const batch of entries) {
    let text = '';
    for (const entry of batch) {
      const { currency } = entry;
      const postings = postingsOf(entry);
      if (!currencies.has(currency)) text += `\ncommodity 1000.${'0'.repeat(currencyExponent(currency))} ${currency}\n`;
      currencies.add(currency);
      for (const { account } of postings) if (!balances.has(account)) text += `account ${account}\n`;
      balances.add(entry);
      const subject = subjectOf(entry);
      text += `\n${dayOf(entry.at)} * ${describeEntry(entry)}  ; entry: ${entry.id}${subject ? `, about: ${subject}` : ''}\n`;
      for (const { account, cents } of postings) text += `    ${account}  ${decimalOf(cents, currency)} ${currency}\n`;
    }
    yield text;
  }
  const assertions = balances.list().map(({ account, currency, cents }) => {
    const zero = decimalOf(0n, currency);
    return `    ${account}  ${zero} ${currency} = ${decimalOf(cents, currency)} ${currency}\n`;
  });
  if (assertions.length > 0) yield `\n${balances.lastDay} * Balances\n${assertions.join('')}`;
}
