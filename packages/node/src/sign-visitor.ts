const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/;

/** Signs the addresses of visitors for one program. Undefined for what is not an address. */
export type VisitorSigner = (address: string | undefined) => Promise<string | undefined>;

/**
 * Signs with the hash of the program's key, which is all that the service keeps of it: program id, time and address, so that the
 * service counts the visitor and not this server. A signature is valid for five minutes.
 */
export function visitorSigner(programId: string, apiKey: string): VisitorSigner {
  const importing = importKey(apiKey);
  return async (given) => {
    // The last address of a list is the one that the proxy next to this server has added. IPv6 may carry a zone.
    const address = given?.split(',').at(-1)?.trim().split('%')[0];
    if (!address || !ADDRESS.test(address)) return undefined;
    const text = `${programId},${Math.floor(Date.now() / 1000)},${address}`;
    const signature = await crypto.subtle.sign('HMAC', await importing, encode(`relay\0${text}`));
    return `${text},${base64url(new Uint8Array(signature))}`;
  };
}

async function importKey(apiKey: string) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', encode(apiKey)));
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return crypto.subtle.importKey('raw', encode(hex), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

const encode = (text: string) => new TextEncoder().encode(text);

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
