import { errors as undici } from 'undici';

/** A call that got no usable answer. The message is a sentence for the person who entered the address. */
export class CallFailed extends Error {}

const SENTENCES: Record<string, string> = {
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the answer was complete.',
  EPIPE: 'The connection was closed before the answer was complete.',
  UND_ERR_SOCKET: 'The connection was closed before the answer was complete.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not as long as it says.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  CERT_NOT_YET_VALID: 'The TLS certificate is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate was not issued by a known authority.',
  UNABLE_TO_GET_ISSUER_CERT: 'The TLS certificate was not issued by a known authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The TLS certificate was not issued by a known authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The TLS certificate was not issued by a known authority, or its chain is incomplete.',
};

/** Why a call failed, in a sentence. */
export function callFailed(error: NodeJS.ErrnoException, seconds: number): CallFailed {
  return error instanceof CallFailed ? error : new CallFailed(sentenceFor(error, seconds), { cause: error });
}

export const tooSlow = (seconds: number) => `No complete answer came within ${seconds} seconds.`;

function sentenceFor(error: NodeJS.ErrnoException, seconds: number): string {
  const code = error.code ?? '';
  if (error instanceof undici.ConnectTimeoutError || code === 'ETIMEDOUT') return tooSlow(seconds);
  if (error instanceof undici.HTTPParserError) return 'The answer is not valid HTTP.';
  if (/CERT|TLS|SSL|EPROTO/.test(code)) return SENTENCES[code] ?? `The TLS connection failed (${code}).`;
  return SENTENCES[code] ?? `The call failed (${code || error.name}).`;
}
