import { randomBytes } from 'node:crypto';

/** How many bytes of a claim are random, and how many are from the hash of the values. */
const RANDOM_BYTES = 8;
const HASH_BYTES = 8;

/**
 * A new claim, as a UUID. It ends with the hash of the values that were sent, so that a repetition is known by its values. Where
 * nodes of earlier releases compare the spelling, they leave or replace the whole claim.
 */
export function newClaim(valuesHash: Buffer): string {
  const hex = Buffer.concat([randomBytes(RANDOM_BYTES), valuesHash.subarray(0, HASH_BYTES)]).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether the claim was made for a request with these values. */
export function isClaimFor(claim: string, valuesHash: Buffer): boolean {
  return claim.replaceAll('-', '').endsWith(valuesHash.subarray(0, HASH_BYTES).toString('hex'));
}
