export type PartnerLink = { url: string } | { problem: string };

/**
 * A partner’s link to a page of the brand’s site, from what was typed: a path like `/pricing`, or the URL of a page. The service
 * credits a click on any page that has the tracker, so that one link works for all of them.
 */
export function linkTo(typed: string, { domain, shortLink }: { domain: string; shortLink: string }): PartnerLink {
  const site = `https://${domain}`;
  const text = typed.trim();
  const isUrl = /^https?:\/\//i.test(text);
  const isHost =
    text === domain || text.startsWith(`${domain}/`) || text.endsWith(`.${domain}`) || text.includes(`.${domain}/`);
  const address = isUrl ? text : isHost ? `https://${text}` : `${site}/${text.replace(/^\/+/, '')}`;
  if (!URL.canParse(address)) return { problem: 'Enter a path like /pricing, or the address of a page.' };
  const url = new URL(address);
  if (url.hostname !== domain && !url.hostname.endsWith(`.${domain}`)) {
    return { problem: `Your link works on pages of ${domain} only.` };
  }
  url.protocol = 'https:';
  url.searchParams.set('aff', shortLink);
  return { url: url.href };
}

/**
 * The short address that leads to the same page as the partner’s link to it, or null: short addresses lead to pages of the host
 * that the link leads to.
 */
export function shortLinkTo(page: string, link: { url: string; short_url: string }): string | null {
  const [url, own] = [new URL(page), new URL(link.url)];
  if (url.href === own.href) return link.short_url;
  if (url.origin !== own.origin) return null;
  url.searchParams.delete('aff');
  return `${link.short_url}?to=${encodeURIComponent(`${url.pathname}${url.search}${url.hash}`)}`;
}
