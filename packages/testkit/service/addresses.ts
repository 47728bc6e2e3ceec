let last = 0;

/** A client address that no other test of the file uses, so that tests do not share rate windows. */
export function newAddress(): string {
  last += 1;
  return `198.18.${last >> 8}.${last & 255}`;
}
