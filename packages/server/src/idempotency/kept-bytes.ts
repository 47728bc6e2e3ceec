/**
 * How many bytes of answers are kept for a program, or for an account, in a day: one KiB for each sale that its limit allows, so
 * that answers about single sales never reach it.
 */
export const keptBytesPerDay = (salesPerMinute: number) => salesPerMinute * 60 * 24 * 1024;

/** For whom an answer is counted. What an account asks of a program counts for the account: it may not be its own program. */
export const programOwner = (programId: number) => `program ${programId}`;
export const accountOwner = (userId: string) => `account ${userId}`;
