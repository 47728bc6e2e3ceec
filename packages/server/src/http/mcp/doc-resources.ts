import { type BuiltGuide, loadGuide } from '../docs/guide.ts';

/** The guide as resources of the protocol, each at the address of its page. */
export type DocResources = {
  list(): Promise<{ uri: string; name: string; title: string; mimeType: string }[]>;
  /** The page as it was written; undefined if there is none at the address. */
  read(uri: string): Promise<string | undefined>;
};

export function createDocResources(baseUrl: string): DocResources {
  let guide: Promise<BuiltGuide> | undefined;
  const sources = async () => {
    guide ??= loadGuide();
    return (await guide).sources;
  };
  const prefix = `${baseUrl}/docs/guide/`;
  return {
    list: async () =>
      [...(await sources())].map(([name, { title }]) => ({
        ...{ uri: prefix + name, name, title, mimeType: 'text/markdown' },
      })),
    read: async (uri) =>
      uri.startsWith(prefix) ? (await sources()).get(uri.slice(prefix.length))?.markdown : undefined,
  };
}
