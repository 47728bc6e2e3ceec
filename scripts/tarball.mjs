import { gzipSync } from 'node:zlib';

const BLOCK_BYTES = 512;
/** The time that npm writes into packages, so that the same files always produce the same bytes. */
const MODIFIED_SECONDS = 499_162_500;

/**
 * Packs files into a gzipped tar archive. The same files produce the same bytes, whatever their order and wherever they are.
 *
 * @param {Map<string, Buffer>} files by their path in the archive
 */
export function createTarball(files) {
  const parts = [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, content]) => [header(path, content.length), content, Buffer.alloc(padding(content.length))]);
  const archive = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 });
  // This byte of the gzip header is the operating system; 255 means unknown.
  archive[9] = 255;
  return archive;
}

/**
 * The header block of a plain file in the ustar format.
 *
 * @param {string} path
 * @param {number} bytes
 */
function header(path, bytes) {
  if (Buffer.byteLength(path) > 100) throw new Error(`Path too long for a tar archive: ${path}`);
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(path, 0);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${octal(bytes)}\0`, 124);
  block.write(`${octal(MODIFIED_SECONDS)}\0`, 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function octal(/** @type {number} */ value) {
  return value.toString(8).padStart(11, '0');
}

function padding(/** @type {number} */ bytes) {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}
