let last = 0;

/** A client address that no other test of the file uses, so that tests do not share rate windows. */
export function newAddress(): string {
  last += 1;
  return `198.18.${last >> 8}.${last & 255}`;
}

let lastNetwork = 0;

/** A client address in a network that no other test of the file uses, so that it belongs to no known device. */
export function newNetwork(): string {
  lastNetwork += 1;
  return `100.${64 + (lastNetwork >> 8)}.${lastNetwork & 255}.7`;
}
