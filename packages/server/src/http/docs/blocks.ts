import { escapeHtml } from '../../html.ts';

/** A part of a page that is served as HTML and as Markdown. Its sentences are Markdown, of which only code, strong text and links are known. */
export type Block =
  | { text: string }
  | { heading: string; level: 2 | 3 | 4 }
  /** A heading with an address of its own, and what belongs to it. */
  | { section: string; id: string; blocks: Block[] }
  | { code: string }
  | { list: string[] }
  | { table: string[][]; titles: string[] };

export function htmlOf(blocks: Block[]): string {
  return blocks.map(blockInHtml).join('\n');
}

export function markdownOf(title: string, blocks: Block[]): string {
  return `# ${title}\n\n${blocks.map(blockInMarkdown).join('\n\n')}\n`;
}

function blockInHtml(block: Block): string {
  if ('text' in block) return `<p>${inline(block.text)}</p>`;
  if ('heading' in block) return `<h${block.level}>${inline(block.heading)}</h${block.level}>`;
  if ('code' in block) return `<pre tabindex="0">${escapeHtml(block.code.trimEnd())}</pre>`;
  if ('list' in block) return `<ul>${block.list.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
  if ('table' in block) {
    const row = (cells: string[], tag: 'td' | 'th') => cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('');
    const rows = block.table.map((cells) => `<tr>${row(cells, 'td')}</tr>`);
    return `<table><thead><tr>${row(block.titles, 'th')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
  }
  return `<section id="${escapeHtml(block.id)}">\n<h2>${inline(block.section)}</h2>\n${htmlOf(block.blocks)}\n</section>`;
}

function blockInMarkdown(block: Block): string {
  if ('text' in block) return block.text;
  if ('heading' in block) return `${'#'.repeat(block.level)} ${block.heading}`;
  if ('code' in block) return `\`\`\`\n${block.code.trimEnd()}\n\`\`\``;
  if ('list' in block) return block.list.map((item) => `- ${item}`).join('\n');
  if ('table' in block) {
    const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    return [row(block.titles), row(block.titles.map(() => '---')), ...block.table.map(row)].join('\n');
  }
  return [`## ${block.section}`, ...block.blocks.map(blockInMarkdown)].join('\n\n');
}

/** Code is set aside first: what is in it is no markup. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`[^`]+`$/.test(part) ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : marked(escapeHtml(part)),
    )
    .join('');
}

const marked = (html: string) =>
  html.replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>').replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');
