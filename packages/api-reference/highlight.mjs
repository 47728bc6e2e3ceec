// Marks comments, strings and keywords in the code of the guide. A few expressions are enough for examples of this size.

const SLASHES = String.raw`\/\/[^\n]*|\/\*[^]*?\*\/`;
const HASHES = String.raw`(?<=^|\s)#[^\n]*`;
const STRINGS = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const TEMPLATES = '`(?:\\\\.|[^`\\\\])*`';

const SCRIPT =
  'as async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof interface let new null of return switch this throw true try type typeof undefined while';

/** @type {Record<string, { comment?: string, string: string, keywords: string }>} */
const LANGUAGES = {
  js: { comment: SLASHES, string: `${STRINGS}|${TEMPLATES}`, keywords: SCRIPT },
  sh: {
    comment: HASHES,
    string: STRINGS,
    keywords: 'case do done elif else esac export fi for function if in then while',
  },
  py: {
    comment: HASHES,
    string: `"""[^]*?"""|${STRINGS}`,
    keywords:
      'and as async await class def elif else except False finally for from if import in is lambda None not or pass raise return True try while with',
  },
  php: {
    comment: `${SLASHES}|${HASHES}`,
    string: STRINGS,
    keywords:
      'array as catch class const declare echo else exit false fn foreach function if namespace new null private public require return static switch throw true try use while',
  },
  rb: {
    comment: HASHES,
    string: STRINGS,
    keywords:
      'and begin class def do else elsif end ensure false if module nil or raise require rescue return self then true unless until while',
  },
  go: {
    comment: SLASHES,
    string: `${STRINGS}|${TEMPLATES}`,
    keywords:
      'break case const continue defer else for func go if import interface map nil package range return select struct switch type var',
  },
  sql: {
    comment: '--[^\\n]*',
    string: STRINGS,
    keywords:
      'and as by create delete from group grant insert into join limit not null on or order select set table to update values where with',
  },
  json: { string: STRINGS, keywords: 'true false null' },
  yaml: { comment: HASHES, string: STRINGS, keywords: 'true false null' },
  html: { comment: '<!--[^]*?-->', string: STRINGS, keywords: '' },
};
/** @type {Record<string, string>} */
const SAME = {
  ts: 'js',
  jsx: 'js',
  tsx: 'js',
  javascript: 'js',
  bash: 'sh',
  python: 'py',
  ruby: 'rb',
  yml: 'yaml',
  nginx: 'yaml',
  ini: 'yaml',
  caddy: 'yaml',
  dockerfile: 'yaml',
  toml: 'yaml',
};

/** The code as HTML; unknown languages are only escaped. */
export function highlight(/** @type {string} */ code, /** @type {string} */ name) {
  const language = LANGUAGES[SAME[name] ?? name];
  if (!language) return escapeHtml(code);
  const words = language.keywords && String.raw`\b(?:${language.keywords.replaceAll(' ', '|')})\b`;
  const tags = name === 'html' ? String.raw`<\/?[\w-]+|(?<!=)\/?>` : '';
  const parts = [
    language.comment && `(?<comment>${language.comment})`,
    `(?<string>${language.string})`,
    (words || tags) && `(?<keyword>${[words, tags].filter(Boolean).join('|')})`,
  ];
  const expression = new RegExp(parts.filter(Boolean).join('|'), 'gm');
  let html = '';
  let end = 0;
  for (const match of code.matchAll(expression)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}

function escapeHtml(/** @type {string} */ text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
