/** Code to paste into a shop: a file of its server, or a part of a page. */
export type Snippet = {
  /** Where it belongs. */
  file: string;
  language: 'js' | 'ts' | 'tsx' | 'html' | 'sh';
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

/** One way to report an event: the code itself, and the files that it imports, which are added once. */
export type IntegrationWay = { name: string; title: string; about: string; shared?: Snippet[]; snippets: Snippet[] };
