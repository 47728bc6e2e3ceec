let last = 0;

/** A client address that no other test of the file uses, so that each has rate windows of its own. */
export function newAddress(): string {
  last += 1;
  return `198.18.${last >> 8}.${last & 255}`;
}
