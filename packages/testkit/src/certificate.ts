import { generate } from 'selfsigned';

/** A certificate for one run, signed by itself; browsers must be told to take it. */
export async function throwAwayCertificate(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
  });
  return { key, cert };
}
