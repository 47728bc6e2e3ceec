import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MAX_LARGE_BODY_BYTES, MAX_RULES, type TermsRule } from '@svc/contract';
import { parse } from 'yaml';
import { Failure } from '../failure.ts';

/** A rule of a file. Groups and partners may be named instead of numbered. */
type FiledRule = Omit<TermsRule, 'for'> & { for?: TermsRule['for'] & { group?: string; partner?: string } };

/** Terms as people keep them in a file. */
export type TermsFile = { rules: FiledRule[]; note?: string; effective_from?: string; backdate?: boolean };

const FIELDS = ['rules', 'note', 'effective_from', 'backdate'];

/** Reads terms from a YAML file: a list of rules, or an object with `rules`. The service checks the rules themselves. */
export async function readTermsFile(cwd: string, path: string): Promise<TermsFile> {
  const file = resolve(cwd, path);
  const { size } = await stat(file).catch(() => {
    throw new Failure(`Cannot read ${path}.`);
  });
  if (size > MAX_LARGE_BODY_BYTES) throw new Failure(`${path} is larger than 1 MB.`, { code: 'file_too_large' });
  return termsIn(path, parseYaml(path, await readFile(file, 'utf8')));
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text, { prettyErrors: true });
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new Failure(`${path} is not valid YAML: ${reason}`);
  }
}

function termsIn(path: string, content: unknown): TermsFile {
  const terms = (Array.isArray(content) ? { rules: content } : content) as TermsFile | null;
  if (!terms || !Array.isArray(terms.rules)) throw new Failure(`${path} must have a list of rules.`);
  const unknown = Object.keys(terms).find((field) => !FIELDS.includes(field));
  if (unknown) throw new Failure(`${path}: ${unknown} is not a known field. Known are ${FIELDS.join(', ')}.`);
  if (terms.rules.length > MAX_RULES) {
    throw new Failure(`${path} has ${terms.rules.length} rules, more than ${MAX_RULES}.`, { code: 'too_many_rules' });
  }
  return { ...terms, effective_from: terms.effective_from && String(terms.effective_from) };
}
