import type { LoadGuide } from '../docs/guide.ts';

/** The guide as resources of the protocol, each at the address of its page. */
export type DocResources = {
  list(): Promise<{ uri: string; name: string; title: string; mimeType: string }[]>;
  /** The page as it was written; undefined if there is none at the address. */
  read(uri: string): Promise<string | undefined>;
};

export function createDocResources(baseUrl: string, guide: LoadGuide): DocResources {
  const prefix = `${baseUrl}/docs/guide/`;
  return {
    list: async () =>
      [...(await guide()).titles].map(([name, title]) => ({
        uri: prefix + name,
        name,
        title,
        mimeType: 'text/markdown',
      })),
    read: async (uri) => (uri.startsWith(prefix) ? (await guide()).markdown.get(uri.slice(prefix.length)) : undefined),
  };
}
