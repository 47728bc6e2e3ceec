/** SQL for a number from 0 to 1 that looks random and is the same on every run: one for each row and each question. */
export const chance = (row: string, question: number) =>
  `((hashint8extended((${row})::bigint, ${question}) & 2147483647) / 2147483648.0)`;
