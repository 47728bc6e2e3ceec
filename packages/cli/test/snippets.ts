export type Snippet = { heading: string; language: string; code: string };

/** The code of a Markdown text, each piece with the heading it stands under. */
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

/** Gives each snippet of the text once; fails when it is asked for one that is not there. */
export class Snippets {
  private readonly all: Snippet[];
  private readonly taken = new Set<Snippet>();

  constructor(text: string) {
    this.all = snippetsOf(text);
  }

  under(heading: string): string[] {
    const found = this.all.filter((snippet) => snippet.heading === heading);
    if (found.length === 0) throw new Error(`There is no snippet under "${heading}"`);
    for (const snippet of found) this.taken.add(snippet);
    return found.map(({ code }) => code);
  }

  /** What nobody asked for, and so nobody tried. */
  untried(): string[] {
    return this.all
      .filter((snippet) => !this.taken.has(snippet))
      .map(({ heading, language }) => `${heading} (${language})`);
  }
}
