export type ClickId = { customerId: number; clickedAt: Date };

const SHAPE = /^cust_(\d{1,15})_(\d{1,14})$/;

export function formatClickId({ customerId, clickedAt }: ClickId): string {
  return `cust_${customerId}_${clickedAt.getTime()}`;
}

/** Parses a click id. Both parts must match on a lookup, because the number alone could be guessed. */
export function parseClickId(text: string | undefined): ClickId | null {
  const match = text === undefined ? null : SHAPE.exec(text);
  return match ? { customerId: Number(match[1]), clickedAt: new Date(Number(match[2])) } : null;
}
