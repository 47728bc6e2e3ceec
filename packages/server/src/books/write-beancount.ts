import { addDays } from '../time.ts';
import type { BookEntry } from './book-store.ts';
import { Balances, dayOf, decimalOf, describeEntry, postingsOf, subjectOf } from './journal.ts';

/** The books as Beancount reads them. `since` is a day on or before the first entry. Nothing in it is text that a person entered. */
export async function* writeBeancount(entries: AsyncIterable<BookEntry[]>, since: Date): AsyncGenerator<string> {
  const balances = new Balances();
  yield 'option "title" "Affiliate commissions"\n';
  for await (const batch of entries) {
    let text = '';
    for (const entry of batch) {
      const postings = postingsOf(entry);
      for (const { account } of postings) {
        if (!balances.has(account)) text += `\n${dayOf(since)} open ${account}\n`;
      }
      balances.add(entry);
      const subject = subjectOf(entry);
      text += `\n${dayOf(entry.at)} * "${describeEntry(entry)}"${subject ? ` ^${subject}` : ''}\n  entry: ${entry.id}\n`;
      for (const { account, cents } of postings) {
        text += `  ${account}  ${decimalOf(cents, entry.currency)} ${entry.currency}\n`;
      }
    }
    yield text;
  }
  // They hold at the beginning of a day.
  const day = balances.lastDay && dayOf(addDays(new Date(balances.lastDay), 1));
  const assertions = balances.list().map(({ account, currency, cents }) => {
    return `${day} balance ${account}  ${decimalOf(cents, currency)} ${currency}\n`;
  });
  yield `\n${assertions.join('')}`;
}
