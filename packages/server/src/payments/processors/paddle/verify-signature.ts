import { tryEach, type VerifySignature } from '../verify-signature.ts';

/** How many signatures of a header are tried. There are two while Paddle rotates a secret. */
const MAX_SIGNATURES = 3;

/** The library compares the time of the signature with the clock of this machine, and allows five seconds. */
export const verifySignature: VerifySignature = async ({ raw, headers }, secrets) => {
  const header = headers['paddle-signature'];
  if (!header) return { is: 'unsigned' };
  // Loaded with the first event, so that the service starts without it.
  const { NodeRuntime, Webhooks } = await import('@paddle/paddle-node-sdk');
  NodeRuntime.initialize();
  const webhooks = new Webhooks();
  const body = raw.toString('utf8');
  const candidates = singleSignatures(String(header));
  return tryEach(secrets, async (secret) => {
    for (const candidate of candidates) if (await webhooks.isSignatureValid(body, secret, candidate)) return true;
    return false;
  });
};

/** The header once for each of its signatures: the library looks at the last one only. */
function singleSignatures(header: string): string[] {
  const parts = header.split(';').map((part) => part.trim());
  const time = parts.find((part) => part.startsWith('ts=')) ?? '';
  const signatures = parts.filter((part) => part.startsWith('h1='));
  return signatures.slice(0, MAX_SIGNATURES).map((signature) => `${time};${signature}`);
}
