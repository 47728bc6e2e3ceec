import { readFileSync } from 'node:fs';

/** Kinds of requests as lists call them. */
export type Kind = 'document' | 'script' | 'xmlhttprequest' | 'image' | 'ping' | 'other';

type Rule = { text: string; address: RegExp; kinds: string[]; exceptKinds: string[] };

/** The general rules of EasyPrivacy that could concern the tracker, with their dates. */
export const easyPrivacy: readonly Rule[] = readFileSync(new URL('./easyprivacy.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('!'))
  .map(readRule);

/** The first rule that blocks a request. */
export function blockedBy(rules: readonly Rule[], url: string, kind: Kind): string | undefined {
  return rules.find(
    ({ address, kinds, exceptKinds }) =>
      address.test(url) && (kinds.length === 0 || kinds.includes(kind)) && !exceptKinds.includes(kind),
  )?.text;
}

/** A rule of a list: `*` stands for anything, `^` for a separator, `|` for an end of the address; after `$`, what it is limited to. */
function readRule(text: string): Rule {
  const [, pattern = '', options = ''] = /^(.*?)(?:\$([\w,~-]+))?$/.exec(text) ?? [];
  const limits = options.split(',').filter(Boolean);
  const unknown = limits.find((limit) => !/^~?(script|xmlhttprequest|image|ping|other)$/.test(limit));
  if (unknown || /[@#]/.test(pattern) || pattern.startsWith('||')) throw new Error(`Not a general rule: ${text}`);
  const source = pattern
    .replace(/[.+?(){}[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('^', '(?:[^\\w.%-]|$)')
    .replace(/^\|/, '^')
    .replace(/\|$/, '$$');
  return {
    text,
    address: new RegExp(source, 'i'),
    kinds: limits.filter((limit) => !limit.startsWith('~')),
    exceptKinds: limits.filter((limit) => limit.startsWith('~')).map((limit) => limit.slice(1)),
  };
}
