import { isSignature, signatureOf } from '../../signature.ts';

/** An application that asks for access. Anyone can register one, so its name proves nothing. */
export type OAuthClient = { name: string; redirectUris: string[] };

const PURPOSE = 'oauth client';
export const MAX_REDIRECT_URIS = 5;
const MAX_URI_CHARS = 300;
const MAX_ID_CHARS = 4_000;

export const MAX_NAME_CHARS = 100;

/** Characters that people do not see, or that change how others look: controls, formats, fillers, separators of lines. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Schemes that browsers, mail programs or the system handle themselves. All others lead to applications that registered them. */
const TAKEN_SCHEMES = new Set(
  (
    'about blob brave chrome chrome-extension chrome-search chrome-untrusted content data devtools edge facetime ' +
    'facetime-audio feed file filesystem firefox ftp ftps geo googlechrome googlechromes gopher imap intent irc itms ' +
    'itms-apps itms-appss itms-services javascript jar ldap ldaps magnet mailto maps market mhtml microsoft-edge mms ' +
    'moz-extension news nfs opera res resource rtsp safari-web-extension search search-ms sftp shell shortcuts sip sips sms smb ssh ' +
    'tel telnet urn vbscript view-source vivaldi vnc webcal ws wss wyciwyg x-apple.systempreferences xmpp'
  ).split(' '),
);

/** The id of a client holds what it registered, signed, so that nothing is stored for clients that nobody approves. */
export function clientIdOf(secret: string, { name, redirectUris }: OAuthClient): string {
  const text = Buffer.from(JSON.stringify([name, ...redirectUris])).toString('base64url');
  return `${text}.${signatureOf(secret, PURPOSE, text)}`;
}

/** The client with this id; null if this service did not register it. */
export function readClientId(secret: string, clientId: string): OAuthClient | null {
  const [text = '', signed = '', ...rest] = clientId.slice(0, MAX_ID_CHARS).split('.');
  if (rest.length > 0 || !isSignature(signed, signatureOf(secret, PURPOSE, text))) return null;
  const [name = '', ...redirectUris] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as string[];
  // Earlier releases registered any name.
  return isClientName(name) ? { name, redirectUris } : null;
}

/** Whether people can read the name on the page that asks them. */
export const isClientName = (name: string) => !UNSEEN.test(name);

/** Whether codes may be sent there: https, this machine, or an application with a scheme of its own. */
export function isRedirectUri(uri: string): boolean {
  // URLs are read without spaces and line breaks, and with slashes for backslashes. What was registered has to be what is meant.
  if (uri.length > MAX_URI_CHARS || /[\s\\]/.test(uri) || UNSEEN.test(uri) || !URL.canParse(uri)) return false;
  const url = new URL(uri);
  if (uri.includes('#') || url.username || url.password) return false;
  if (url.protocol === 'http:' && !isLoopback(url)) return false;
  const scheme = url.protocol.slice(0, -1);
  // Windows and Office have dozens that begin with `ms-`.
  if (TAKEN_SCHEMES.has(scheme) || scheme.startsWith('ms-')) return false;
  // Without `//`, only a scheme that is a domain backwards (RFC 8252) is surely the name of an application.
  return uri.toLowerCase().startsWith(`${scheme}://`) || scheme.includes('.');
}

/** Whether the client has registered the address. On this machine, applications listen on any free port (RFC 8252). */
export function hasRedirectUri({ redirectUris }: OAuthClient, uri: string): boolean {
  if (!isRedirectUri(uri)) return false;
  const asked = new URL(uri);
  return redirectUris.some((registered) => {
    if (registered === uri) return true;
    const known = new URL(registered);
    if (known.protocol !== 'http:' || !isLoopback(known) || !isLoopback(asked)) return false;
    known.port = asked.port;
    return known.href === asked.href;
  });
}

/** Where a user goes next, as people recognize it. Only https says who that is; elsewhere the scheme is part of it. */
export function clientAddressOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' ? host : `${protocol}${host && '//'}${host}`;
}

const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
