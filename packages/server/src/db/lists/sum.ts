/** A sum of amounts. Each amount fits into a number, but their sum may not. */
export type Sum = number | bigint;

/** The exact sum: a number if that is exact, and a `bigint` otherwise. */
export function toSum(value: string | Sum): Sum {
  const exact = BigInt(value);
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

export function add(one: Sum, other: Sum): Sum {
  return toSum(BigInt(one) + BigInt(other));
}
