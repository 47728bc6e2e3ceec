import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { CountryResponse, Reader } from 'mmdb-lib';
import { ExpectedError } from '../expected-error.ts';

/** The ISO 3166 code of the country of an address, or undefined if it is not known. */
export type CountryLookup = (address: string) => string | undefined;

/** Loads a database of countries (a MaxMind DB file) into memory. A lookup takes microseconds and never fails. */
export async function openCountryLookup(path: string): Promise<CountryLookup> {
  const { Reader: MmdbReader } = await import('mmdb-lib');
  let reader: Reader<CountryResponse>;
  try {
    reader = new MmdbReader(await readFile(path));
  } catch (error) {
    throw new ExpectedError(`SVC_GEOIP_DATABASE: ${path} cannot be read: ${(error as Error).message}`);
  }
  return (address) => {
    // A server that listens on IPv6 sees IPv4 callers in this form.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    if (isIP(plain) === 0) return undefined;
    try {
      const code = reader.get(plain)?.country?.iso_code;
      return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : undefined;
    } catch {
      // An IPv6 address in a database of IPv4 networks, or a damaged entry: a click is worth more than its country.
      return undefined;
    }
  };
}
