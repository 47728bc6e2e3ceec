import type { z } from 'zod';
import type { Limit } from './pace.ts';
import type { Reading } from './reading.ts';
import type { Secret } from './tool-client.ts';
import type { KnownSale } from './unit.ts';

/** A tool that partners can be imported from through its API. */
export type Tool = {
  title: string;
  apiUrl: string;
  /** What its API asks for, in the order in which `headers` takes them. */
  secrets: Secret[];
  headers: (secrets: string[]) => Record<string, string>;
  limit: Limit;
  /** Parameters that name a partner in its links. */
  parameters: string[];
  lists: List[];
  /** What the rows of the lists mean. Pure. */
  toReading: (rows: Rows, about: About) => Reading;
  /** What no tool of this kind hands over, or nothing here corresponds to. */
  notTakenOver: string[];
};

/** A list of the API. `row` keeps only the fields that are needed. */
export type List = {
  name: string;
  row: z.ZodType;
  /** The first page, or the first page for each row of an earlier list. */
  path: (parentId: string) => string;
  each?: { row: string; id: (row: never) => string };
  /** The rows of a page, and the path of the next one; undefined for what is not a page of this list. */
  page: (body: unknown, path: string) => Page | undefined;
  /** Whether a tool without this list is fine. */
  optional?: boolean;
};

export type Page = { rows: unknown[]; next: string | null };

/** The rows of each list, as its schema reads them. */
export type Rows = <Row>(name: string) => Row[];

/** What the user says about the account, for tools that do not say it themselves. */
export type About = { currency: string; knownSale: KnownSale | undefined; now: Date };

/** The same path with another value of a parameter. */
export function withParameter(path: string, name: string, value: string | number): string {
  const [before = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set(name, String(value));
  return `${before}?${parameters}`;
}

/** A page of a list whose pages are numbered and which ends with an empty one. */
export function numberedPage(rows: unknown, path: string): Page | undefined {
  if (!Array.isArray(rows)) return undefined;
  const number = Number(new URLSearchParams(path.split('?')[1]).get('page'));
  return { rows, next: rows.length === 0 ? null : withParameter(path, 'page', number + 1) };
}

/** The code that a parameter of an address has; undefined if it has none. */
export function codeIn(
  address: string | null | undefined,
  parameters: string[],
): { parameter: string; code: string } | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { searchParams } = new URL(address);
  const parameter = parameters.find((name) => searchParams.get(name));
  return parameter === undefined ? undefined : { parameter, code: searchParams.get(parameter) ?? '' };
}

/** First and last name, or what stands in for them. */
export function nameOf(parts: (string | null | undefined)[], otherwise: string): string {
  return (
    parts
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ') || otherwise
  );
}
