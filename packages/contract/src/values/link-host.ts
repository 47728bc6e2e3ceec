import { z } from 'zod';

const HOST = 'host must be a host name of your own, like go.example.com';

/** A TXT record beside the host proves whose it is. */
export const RECORD_PREFIX = '_svc.';
/** The name of the record is a host name too, of at most 253 characters. */
const MAX_CHARS = 253 - RECORD_PREFIX.length;

/**
 * The host as it is compared: in lower case, in the ASCII form of international names, without a final dot. Null when the text
 * is not just the name of a host below a top-level domain: no address, port, path or user name.
 */
export function normalHost(text: string): string | null {
  // URL parsers read these as something else than a part of the name.
  if (/[\s/\\:@?#%[\]]/.test(text) || !URL.canParse(`https://${text}`)) return null;
  const host = new URL(`https://${text}`).hostname.replace(/\.$/, '');
  const labels = host.split('.');
  const isName = labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return isName && !/^\d+$/.test(labels.at(-1)!) ? host : null;
}

/** A host that a brand wants to have its links on. */
export const linkHost = z.string({ error: HOST }).transform((value, check) => {
  const host = normalHost(value.trim());
  if (host === null || host.length > MAX_CHARS) {
    check.addIssue(HOST);
    return z.NEVER;
  }
  return host;
});
