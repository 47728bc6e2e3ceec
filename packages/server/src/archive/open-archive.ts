import type { ArchivePlace } from './archive-place.ts';
import type { Bucket } from './bucket-place.ts';
import { createFolderPlace } from './folder-place.ts';

/** The archive of the installation; undefined if it has none. What a bucket needs is loaded where there is one. */
export async function openArchive(
  config: { kind: 'folder'; folder: string } | ({ kind: 'bucket' } & Bucket) | undefined,
): Promise<ArchivePlace | undefined> {
  if (!config) return undefined;
  if (config.kind === 'folder') return createFolderPlace(config.folder);
  const { createBucketPlace } = await import('./bucket-place.ts');
  return createBucketPlace(config);
}
