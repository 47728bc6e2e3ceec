/** A body is longer than it may be. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** The bytes of a stream, of which no more are kept than may be. */
export async function readBounded(
  stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream ? chunksOf(stream) : []) {
    length += part.length;
    if (length > maxBytes) throw new TooLarge();
    parts.push(part);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Not every platform can iterate over a web stream. */
async function* chunksOf(stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>) {
  if (!('getReader' in stream)) return yield* stream;
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value as Uint8Array;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
