/** The accounts of the books. Those of partners have the partner's id after them in files: `Liabilities:Payable:P-17`. */
export const BOOK_ACCOUNTS = {
  'Expenses:Commissions': 'What partners have earned, less refunds',
  'Expenses:Credits': 'What customers were granted, less refunds',
  'Liabilities:Pending': 'Commissions on hold',
  'Liabilities:Payable': 'Approved, and in no payout yet',
  'Liabilities:InPayouts': 'In payouts that are not paid yet',
  'Liabilities:Credits': 'What customers were granted',
  'Assets:Payouts': 'What was paid to partners',
} as const;
export type BookAccount = keyof typeof BOOK_ACCOUNTS;
