import { REPORT_PATH } from '@svc/contract';
import { findDownload, insertDownload } from '../../downloads/download-store.ts';
import type { ServiceContext } from '../service-context.ts';
import { type Asset, assetOf, prepareAsset } from './asset.ts';
import { readPackage, readTrackerScript } from './package-folders.ts';

type Built = { version: string; body: Buffer };

type FileKind = {
  /** Where the newest one is. */
  newest: string;
  /** Where exactly this one is, for good. */
  immutable: (version: string, hash: string) => string;
  mediaType: string;
  isCompressed: boolean;
  read(reportPath: string): Promise<Built>;
};

const SCRIPT = { mediaType: 'text/javascript; charset=utf-8', isCompressed: false };
const TARBALL = { mediaType: 'application/gzip', isCompressed: true };

/** What sites and developers load from the service. */
const FILE_KINDS = {
  script: {
    newest: '/js/svc-tracker.js',
    immutable: (_version, hash) => `/js/svc-tracker.${hash}.js`,
    ...SCRIPT,
    read: (reportPath) => readTrackerScript('svc-tracker.js', reportPath),
  },
  stripeScript: {
    newest: '/js/svc-tracker-stripe.js',
    immutable: (_version, hash) => `/js/svc-tracker-stripe.${hash}.js`,
    ...SCRIPT,
    read: (reportPath) => readTrackerScript('svc-tracker-stripe.js', reportPath),
  },
  tracker: {
    newest: '/packages/tracker.tgz',
    immutable: (version, hash) => `/packages/tracker-${version}-${hash}.tgz`,
    ...TARBALL,
    read: () => readPackage('tracker'),
  },
  node: {
    newest: '/packages/node.tgz',
    immutable: (version, hash) => `/packages/node-${version}-${hash}.tgz`,
    ...TARBALL,
    read: () => readPackage('node'),
  },
  cli: {
    newest: '/packages/cli.tgz',
    immutable: (version, hash) => `/packages/cli-${version}-${hash}.tgz`,
    ...TARBALL,
    read: () => readPackage('cli'),
  },
} satisfies Record<string, FileKind>;

export type FileName = keyof typeof FILE_KINDS;
export const SERVED_FILES: Record<FileName, FileKind> = FILE_KINDS;

export type ServedFile = {
  version: string;
  asset: Asset;
  newestUrl: string;
  immutablePath: string;
  immutableUrl: string;
};

export type Downloads = ReturnType<typeof createDownloads>;

/** The files of this release, and those of earlier ones that have run on this store. */
export function createDownloads(ctx: Pick<ServiceContext, 'db' | 'now' | 'log' | 'baseUrl'>, reportPath = REPORT_PATH) {
  const { baseUrl } = ctx;
  const loading = new Map<FileName, Promise<ServedFile>>();
  const kept = new Set<string>();

  /** A file of this release. It is read and compressed on the first request. */
  function load(name: FileName): Promise<ServedFile> {
    const started = loading.get(name) ?? prepare(name);
    loading.set(name, started);
    started.catch(() => loading.delete(name));
    return started;
  }

  async function prepare(name: FileName): Promise<ServedFile> {
    const { newest, immutable, mediaType, isCompressed, read } = SERVED_FILES[name];
    const { version, body } = await read(reportPath);
    const asset = await prepareAsset(body, mediaType, { compress: !isCompressed });
    const immutablePath = immutable(version, asset.hash);
    return {
      version,
      asset,
      newestUrl: baseUrl + newest,
      immutablePath,
      immutableUrl: baseUrl + immutablePath,
    };
  }

  /** The file at an immutable path. From now on the path serves it whatever release runs; null if it never did. */
  async function findImmutable(name: FileName, path: string): Promise<Asset | null> {
    const { asset, immutablePath } = await load(name);
    if (path === immutablePath) {
      await keep(path, asset);
      return asset;
    }
    const earlier = await findDownload(ctx.db, path);
    return earlier && assetOf(Buffer.from(earlier.contentBase64, 'base64'), earlier.mediaType);
  }

  /** Without its store the service still serves what it has; the next download keeps it. */
  async function keep(path: string, { contentType, variants }: Asset): Promise<void> {
    if (kept.has(path)) return;
    const contentBase64 = variants.at(-1)?.body.toString('base64') ?? '';
    try {
      await insertDownload(ctx.db, { path, mediaType: contentType, contentBase64 }, ctx.now());
      kept.add(path);
    } catch (error) {
      ctx.log.warn({ err: error, path }, 'could not keep a download for later releases');
    }
  }

  /** Keeps all files of this release, so that their addresses work after it, whether or not anybody has used them by then. */
  async function keepAll(): Promise<void> {
    for (const name of Object.keys(SERVED_FILES) as FileName[]) {
      try {
        const { asset, immutablePath } = await load(name);
        await keep(immutablePath, asset);
      } catch (error) {
        ctx.log.warn({ err: error, file: name }, 'could not prepare a download');
      }
    }
  }

  return { load, findImmutable, keepAll };
}
