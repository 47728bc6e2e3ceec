const LOCAL = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The origin of a website as it was typed, if it is not simply `https://` and its name: one on this machine, or with a port. Null
 * otherwise.
 */
export function unusualOrigin(typed: string): string | null {
  const text = typed.trim().toLowerCase();
  const isUrl = /^https?:\/\//.test(text);
  const address = isUrl ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const { hostname, port, origin } = new URL(address);
  // Sites on one's own machine hardly have certificates.
  if (LOCAL.test(hostname)) return isUrl ? origin : `http://${hostname}${port && `:${port}`}`;
  return port === '' ? null : origin;
}

type Site = {
  domain: string;
  allowed_origins: string[];
  /** Where the latest click came from. */
  clickOrigin: string | undefined;
};

/** Where a site probably runs now: where its latest click came from, or where its program was set up. */
export function likelyAddress({ domain, allowed_origins: origins, clickOrigin }: Site): string {
  const own = origins.find((origin) => URL.canParse(origin) && new URL(origin).hostname === domain);
  return clickOrigin ?? own ?? `https://${domain}`;
}
