/** The part of an endpoint's address that everyone may see. The rest can be as good as a password: it is with Slack and Discord. */
export function maskedUrl(url: string): string {
  const { origin } = new URL(url);
  const rest = url.slice(origin.length);
  // The end tells endpoints apart, as it does with keys.
  return rest.length > 8 ? `${origin}/…${rest.slice(-4)}` : `${origin}/…`;
}
