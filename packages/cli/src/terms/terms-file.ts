import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Attribution, MAX_LARGE_BODY_BYTES, MAX_RULES, type TermsRule } from '@svc/contract';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { Failure } from '../failure.ts';
import type { Settings } from './settings.ts';

/** A rule of a file. Groups and partners may be named instead of numbered. */
export type FiledRule = Omit<TermsRule, 'for'> & { for?: TermsRule['for'] & { group?: string; partner?: string } };

/** Terms as people keep them in a file. */
export type TermsContent = {
  settings?: Partial<Settings>;
  rules: FiledRule[];
  attribution?: Attribution;
  note?: string;
  effective_from?: string;
  backdate?: boolean;
};

export type TermsFile = TermsContent & {
  /** Where a part of the file is, such as `terms.yaml:12:5`, or the nearest part around it. */
  placeOf(path: (string | number)[]): string;
};

const FIELDS = ['settings', 'rules', 'attribution', 'note', 'effective_from', 'backdate'];

/** Reads terms from a YAML file: a list of rules, or an object with `rules`. The service checks the rules themselves. */
export async function readTermsFile(cwd: string, path: string): Promise<TermsFile> {
  const file = resolve(cwd, path);
  const { size } = await stat(file).catch(() => {
    throw new Failure(`Cannot read ${path}.`);
  });
  if (size > MAX_LARGE_BODY_BYTES) throw new Failure(`${path} is larger than 1 MB.`, { code: 'file_too_large' });
  const lines = new LineCounter();
  const document = parseDocument(await readFile(file, 'utf8'), { prettyErrors: true, lineCounter: lines });
  const content = contentOf(path, document);
  const isList = Array.isArray(content);
  const placeOf = (parts: (string | number)[]) =>
    `${path}${positionOf(document, lines, isList && parts[0] === 'rules' ? parts.slice(1) : parts)}`;
  return { ...termsIn(path, content), placeOf };
}

function contentOf(path: string, document: Document): unknown {
  const [error] = document.errors;
  const refuse = (message: string) => new Failure(`${path} is not valid YAML: ${message.split('\n')[0]}`);
  if (error) throw refuse(error.message);
  try {
    return document.toJS();
  } catch (thrown) {
    // Too many aliases, for example.
    throw refuse((thrown as Error).message);
  }
}

/** The line and column of what is at the path, or of the nearest part around it. */
function positionOf(document: Document, lines: LineCounter, path: (string | number)[]): string {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0]);
      return `:${line}:${col}`;
    }
  }
  return '';
}

function termsIn(path: string, content: unknown): TermsContent {
  const terms = (Array.isArray(content) ? { rules: content } : content) as TermsContent | null;
  if (!terms || !Array.isArray(terms.rules)) throw new Failure(`${path} must have a list of rules.`);
  const unknown = Object.keys(terms).find((field) => !FIELDS.includes(field));
  if (unknown) throw new Failure(`${path}: ${unknown} is not a known field. Known are ${FIELDS.join(', ')}.`);
  if (terms.rules.length > MAX_RULES) {
    throw new Failure(`${path} has ${terms.rules.length} rules, more than ${MAX_RULES}.`, { code: 'too_many_rules' });
  }
  return { ...terms, effective_from: terms.effective_from && String(terms.effective_from) };
}
