import type { Answer } from './service.ts';

/** The settings that the service writes into a page of the web application. */
export function pageSettings({ text }: Answer): Record<string, unknown> {
  const [, content = ''] = /<meta name="svc-settings" content="([^"]*)">/.exec(text) ?? [];
  return JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}
