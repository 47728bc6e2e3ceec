/** Characters that browsers drop from an address, or read as a slash, so that it leads elsewhere than it seems to. */
const MISLEADING = /[\p{Cc}\\]/u;

/** Whether the text is an http or https address without credentials, which leads where it seems to. */
export function isWebAddress(value: string, base?: string): boolean {
  if (MISLEADING.test(value) || !URL.canParse(value, base)) return false;
  const { protocol, username, password } = new URL(value, base);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
