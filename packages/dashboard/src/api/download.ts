import { answerTo, viewHeaders } from './client.ts';

const NEWLINE = 10;

/** What has arrived of a file: its rows, if it is text with a row in each line, and its bytes. */
export type Progress = { rows: number | null; bytes: number };

type DownloadOptions = {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** For files that the service gives no name. */
  fileName?: string | undefined;
};

/** Downloads a file of the service, asked for like every other request, and saves it under the name that the service gives it. */
export async function download(
  url: string,
  { signal, onProgress, fileName = 'export' }: DownloadOptions,
): Promise<void> {
  const headers = { Accept: '*/*', ...viewHeaders() };
  const response = await answerTo({ method: 'GET', path: url, headers, signal });
  const type = response.headers.get('Content-Type') ?? '';
  const isText = type.startsWith('text/csv');
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // The first line is the title.
  let lines = -1;
  let bytes = 0;
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    bytes += read.value.length;
    if (isText) for (const byte of read.value) if (byte === NEWLINE) lines += 1;
    onProgress({ rows: isText ? Math.max(lines, 0) : null, bytes });
  }
  save(new Blob(parts, { type }), nameOf(response) ?? fileName);
}

function nameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to save it; the memory is not needed for long.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
