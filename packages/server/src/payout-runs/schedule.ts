/** The next start of this day of a month, in UTC, that is later than the given time. */
export function nextRunAt(day: number, after: Date): Date {
  const inMonth = (offset: number) => new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + offset, day));
  const thisMonth = inMonth(0);
  return thisMonth.getTime() > after.getTime() ? thisMonth : inMonth(1);
}
