/** Code to paste into a shop: a file of its server, or a part of a page. */
export type Snippet = {
  /** Where it belongs. */
  file: string;
  language: 'js' | 'jsx' | 'html' | 'sh';
  code: string;
};

/** One way to take payments, with its code for each framework. A way that needs no server has one entry. */
export type CheckoutWay = {
  name: string;
  title: string;
  /** When to use it and what to watch out for, in sentences. */
  about: string;
  snippets: (Snippet & { framework: string })[];
};

/** The code that a processor's checkouts need, with the id of the program filled in. */
export type CheckoutGuide = {
  /** Files that all ways on a server import. */
  shared: Snippet[];
  ways: CheckoutWay[];
};

/** The click id in a Cookie header, or in `document.cookie`. */
export const CLICK_ID_PATTERN = String.raw`/(?:^|;\s*)svc_click_id=(cust_\d+_\d+)/`;

/** Indents all lines but the first and the empty ones. */
export function indented(text: string, spaces: number): string {
  return text.replace(/\n(?=.)/g, `\n${' '.repeat(spaces)}`);
}

/** One way to report an event: the code itself, and the files that it imports, which are added once. */
export type IntegrationWay = { name: string; title: string; about: string; shared?: Snippet[]; snippets: Snippet[] };
