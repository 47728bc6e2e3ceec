import { AwsClient } from 'aws4fetch';
import { ArchiveError, type ArchivePlace } from './archive-place.ts';

export type Bucket = {
  endpoint: string;
  name: string;
  /** What the keys of its objects start with, without slashes at the ends. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** A file is a few megabytes. */
const REQUEST_MS = 60_000;
const RETRIES = 3;

/** An archive in a bucket of S3, or of another service that understands its requests. */
export function createBucketPlace({ endpoint, name, prefix, ...credentials }: Bucket): ArchivePlace {
  const client = new AwsClient({ ...credentials, service: 's3', retries: RETRIES });
  const urlOf = (path: string) =>
    `${endpoint}/${[name, ...prefix.split('/'), ...path.split('/')].filter(Boolean).map(encodeURIComponent).join('/')}`;

  const request = (method: string, path: string, init: RequestInit = {}) =>
    client.fetch(urlOf(path), { method, redirect: 'error', signal: AbortSignal.timeout(REQUEST_MS), ...init });

  async function send(method: string, path: string, init?: RequestInit): Promise<Response> {
    const response = await request(method, path, init);
    if (response.ok) return response;
    const [, code] = /<Code>([\w.-]{1,64})<\/Code>/.exec(await response.text()) ?? [];
    throw new Error(`the bucket answered ${response.status}${code ? ` ${code}` : ''}`);
  }

  return {
    async write(path, bytes) {
      try {
        await send('PUT', path, { body: bytes as Uint8Array<ArrayBuffer> });
      } catch (error) {
        throw new ArchiveError('written', path, error);
      }
    },

    async read(path, start, end) {
      try {
        const headers = new Headers();
        if (start !== undefined) headers.set('range', `bytes=${start}-${end === undefined ? '' : end - 1}`);
        const response = await send('GET', path, { headers });
        return new Uint8Array(await response.arrayBuffer());
      } catch (error) {
        throw new ArchiveError('read', path, error);
      }
    },

    async has(path) {
      try {
        const { ok, status } = await request('HEAD', path);
        // Without the right to list a bucket, what is not there is forbidden.
        if (ok || status === 404 || status === 403) return ok;
        throw new Error(`the bucket answered ${status}`);
      } catch (error) {
        throw new ArchiveError('looked for', path, error);
      }
    },

    async remove(path) {
      await send('DELETE', path).catch((error) => {
        throw new ArchiveError('removed', path, error);
      });
    },
  };
}
