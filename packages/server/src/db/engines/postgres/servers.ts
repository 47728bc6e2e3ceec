/** The servers that a connection string names, of which one is in use. */
export type Servers = {
  /** A connection string for each. */
  readonly urls: string[];
  /** The connection string of the server in use. */
  url(): string;
  /** Uses the next server, unless another caller has already moved on from this one. */
  leave(url: string): void;
  /** Uses this server. */
  use(url: string): void;
};

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/;
/** Of these, the service always wants the one that it can write to. */
const SESSION_ATTRIBUTES = 'target_session_attrs';
const WRITABLE = ['read-write', 'primary'];
/** In these modes too, the driver checks the certificate and its name. It warns that this will change. */
const CHECKING_MODES = ['prefer', 'require', 'verify-ca'];

/** A connection string for each server, in order: `postgres://a:5432,b:5432/svc` names two. Null when it cannot be read. */
export function serverUrls(databaseUrl: string): string[] | null {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(databaseUrl) ?? [];
  const urls = hosts.split(',').map((host) => toServerUrl(`${before}${host}${after}`));
  const isReadable = urls.every((url) => url !== null) && (urls.length === 1 || !hosts.split(',').includes(''));
  return isReadable ? urls : null;
}

function toServerUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const wanted = url?.searchParams.get(SESSION_ATTRIBUTES) ?? 'read-write';
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || !WRITABLE.includes(wanted)) return null;
  const { searchParams: parameters } = url;
  if (!parameters.has(SESSION_ATTRIBUTES) && !isChecked(parameters)) return text;
  parameters.delete(SESSION_ATTRIBUTES);
  if (isChecked(parameters)) parameters.set('sslmode', 'verify-full');
  return url.href;
}

function isChecked(parameters: URLSearchParams): boolean {
  return CHECKING_MODES.includes(parameters.get('sslmode') ?? '') && parameters.get('uselibpqcompat') !== 'true';
}

/** Starts with the first server. */
export function createServers(databaseUrl: string): Servers {
  const urls = serverUrls(databaseUrl) ?? [databaseUrl];
  let current = 0;
  const url = () => urls[current] as string;
  return {
    urls,
    url,
    leave(left) {
      if (left === url()) current = (current + 1) % urls.length;
    },
    use(used) {
      current = Math.max(urls.indexOf(used), 0);
    },
  };
}
