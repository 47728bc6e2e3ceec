import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's `libhbci4j-core-java` brings the schemas of ISO 20022 along. */
const JAR = '/usr/share/java/hbci4j-core.jar';

export type XmlSchema = {
  /** What is wrong with the documents by this schema, by their position; those that are valid are not among it. */
  validate(documents: Uint8Array[]): Map<number, string>;
};

/** The official schema of a bank message, such as `pain.001.001.09`, or why it is not to be had on this machine. */
export function findXmlSchema(message: string): XmlSchema | { missing: string } {
  if (!existsSync(JAR)) return { missing: `${JAR} is not installed (Debian: libhbci4j-core-java)` };
  if (spawnSync('xmllint', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return { missing: 'xmllint is not on the PATH (Debian: libxml2-utils)' };
  }
  const { status, stdout } = spawnSync('unzip', ['-p', JAR, `${message}.xsd`]);
  if (status !== 0) return { missing: `unzip found no ${message}.xsd in ${JAR}` };
  return { validate: (documents) => validate(stdout, documents) };
}

/** All documents in one call, because starting the program takes longer than validating a small one. */
function validate(schema: Uint8Array, documents: Uint8Array[]): Map<number, string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-xml-'));
  try {
    writeFileSync(join(folder, 'schema.xsd'), schema);
    const names = documents.map((_, index) => `${index}.xml`);
    documents.forEach((document, index) => {
      writeFileSync(join(folder, `${index}.xml`), document);
    });
    const args = ['--noout', '--nonet', '--schema', 'schema.xsd', ...names];
    const { stderr, error } = spawnSync('xmllint', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    if (error) throw error;
    const valid = new Set([...stderr.matchAll(/^(\d+)\.xml validates$/gm)].map(([, index]) => Number(index)));
    const wrong = names.map((_, index) => index).filter((index) => !valid.has(index));
    return new Map(
      wrong.map((index) => [index, stderr.match(new RegExp(`^${index}\\.xml:.*$`, 'm'))?.[0] ?? 'not read']),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
