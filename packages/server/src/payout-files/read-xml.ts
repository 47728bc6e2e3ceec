import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element of a document: its text, its attributes and the elements in it, by name without a namespace prefix. */
export type XmlElement = { text: string; attributes: Record<string, string>; children: [string, XmlElement][] };

type Node = Record<string, unknown>;

/** A run has at most some thousand payouts. Reading more would block all other requests. */
const MAX_TAGS = 1_000_000;

// Entities are not expanded, so that a small document cannot become a large one. The five that XML itself has are read below.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  trimValues: true,
});

/** Reads an XML document, or says in a sentence why it cannot be read. */
export function readXml(bytes: Uint8Array): { root: [string, XmlElement] } | { problem: string } {
  const text = textOf(bytes);
  if (text === null) return { problem: 'The file is not text in the encoding that it names.' };
  if (/<!DOCTYPE/i.test(text)) return { problem: 'The file declares a document type, which bank messages do not.' };
  if (hasMore(text, '<', MAX_TAGS)) {
    return { problem: 'The file has more than 1,000,000 tags, which no report of a run has.' };
  }
  if (XMLValidator.validate(text) !== true) return { problem: 'The file is not valid XML.' };
  const nodes = parsed(text);
  const [root] = elementsOf(nodes).filter(([name]) => !name.startsWith('?'));
  return root ? { root } : { problem: 'The file is not valid XML.' };
}

function hasMore(text: string, character: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) if (++count > most) return true;
  return false;
}

/** Nothing if the parser refuses the text, for example because elements are nested too deeply. */
function parsed(text: string): Node[] {
  try {
    return parser.parse(text) as Node[];
  } catch {
    return [];
  }
}

/** The elements that a path of names leads to. */
export function childrenAt(element: XmlElement, ...path: string[]): XmlElement[] {
  return path.reduce(
    (found, name) =>
      found.flatMap(({ children }) => children.filter(([own]) => own === name).map(([, child]) => child)),
    [element],
  );
}

/** The text of the first element that a path of names leads to; undefined if there is none. */
export function textAt(element: XmlElement, ...path: string[]): string | undefined {
  return childrenAt(element, ...path)[0]?.text;
}

function textOf(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const encoding = /^\W*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The parser gives each element as an object with one key, its name, beside its attributes. */
function elementsOf(nodes: Node[]): [string, XmlElement][] {
  return nodes.flatMap((node): [string, XmlElement][] => {
    const name = Object.keys(node).find((key) => key !== ':@' && key !== '#text');
    if (name === undefined) return [];
    const inside = node[name] as Node[];
    const text = inside.map((part) => (typeof part['#text'] === 'string' ? part['#text'] : '')).join('');
    const attributes = (node[':@'] ?? {}) as Record<string, string>;
    return [
      [name.slice(name.indexOf(':') + 1), { text: withoutReferences(text), attributes, children: elementsOf(inside) }],
    ];
  });
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function withoutReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#([0-9]{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (name) return NAMED[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
