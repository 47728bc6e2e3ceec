/** SQL for a pseudo-random number from 0 to 1 that is the same on every run, one per row and salt. */
export const chance = (row: string, salt: number) =>
  `((hashint8extended((${row})::bigint, ${salt}) & 2147483647) / 2147483648.0)`;
