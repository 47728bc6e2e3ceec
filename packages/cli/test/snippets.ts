export type Snippet = { heading: string; language: string; code: string };

/** The code blocks of a Markdown text, each with the heading above it. */
function snippetsOf(text: string): Snippet[] {
  const snippets: Snippet[] = [];
  let heading = '';
  let open: Snippet | undefined;
  for (const line of text.split('\n')) {
    if (open && line === '```') {
      snippets.push(open);
      open = undefined;
    } else if (open) open.code += `${line}\n`;
    else if (line.startsWith('```')) open = { heading, language: line.slice(3), code: '' };
    else if (/^#+ /.test(line)) heading = line.replace(/^#+ /, '');
  }
  return snippets;
}

/** Looks up the snippets of a text by heading, and remembers which were used. Fails for an unknown heading. */
export class Snippets {
  private readonly all: Snippet[];
  private readonly used = new Set<Snippet>();

  constructor(text: string) {
    this.all = snippetsOf(text);
  }

  under(heading: string): string[] {
    const found = this.all.filter((snippet) => snippet.heading === heading);
    if (found.length === 0) throw new Error(`No snippet under "${heading}"`);
    for (const snippet of found) this.used.add(snippet);
    return found.map(({ code }) => code);
  }

  /** The snippets that no test used. */
  untried(): string[] {
    return this.all
      .filter((snippet) => !this.used.has(snippet))
      .map(({ heading, language }) => `${heading} (${language})`);
  }
}
