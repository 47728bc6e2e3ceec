import { columnsTreated, ERASURE, TREATMENTS, type Treatment, treatmentOf } from './erasure.ts';
import type { Column, Schema, Table } from './read-schema.ts';
import { TABLE_PURPOSES } from './table-purposes.ts';

/** The folders of the server, in the order of ARCHITECTURE.md, each with the tables that it writes. */
export type Owners = { folder: string; tables: string[] }[];

/** What is missing beside the schema: sentences, owners and entries in the list of erasures, and which of them are outdated. */
export function schemaProblems({ tables }: Schema, owners: Owners): string[] {
  const whole = tables.filter(({ partition }) => !partition?.startsWith('partition of'));
  const names = tables.map(({ name }) => name);
  const owned = owners.flatMap((owner) => owner.tables);
  const described = Object.keys(TABLE_PURPOSES);
  const texts = whole.flatMap(({ name, columns }) => columns.filter(isText).map((column) => `${name}.${column.name}`));
  const listed = Object.keys(ERASURE).flatMap((table) =>
    (Object.keys(TREATMENTS) as Treatment[]).flatMap((treatment) =>
      columnsTreated(table, treatment).map((column) => `${table}.${column}`),
    ),
  );
  return [
    ...without(names, described).map((name) => `The table ${name} needs a sentence in db/schema/table-purposes.ts`),
    ...without(described, names).map((name) => `db/schema/table-purposes.ts describes ${name}, which is no table`),
    ...without(names, owned).map((name) => `The table ${name} needs an owner in the table of ARCHITECTURE.md`),
    ...without(owned, names).map((name) => `ARCHITECTURE.md names ${name}, which is no table`),
    ...without(texts, listed).map((name) => `db/schema/erasure.ts has to say what erasure does to ${name}`),
    ...without(listed, texts).map((name) => `db/schema/erasure.ts lists ${name}, which is no text column`),
  ];
}

function without(names: string[], others: string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

const isText = ({ type }: Column) => /^(text|character|json)/.test(type);

const SQL_HEAD = `-- The schema as it is after all migrations, to be read. Migrations change it; \`npm run schema\` writes this file.
-- A function that only serves nodes of an earlier release says until which version it is needed: -- until: <version>
`;

/** The whole schema as SQL, in the order of names. */
export function formatSql({ sequences, tables, views, functions }: Schema): string {
  const parts = [
    SQL_HEAD,
    ...sequences.map((name) => `create sequence ${name};\n`),
    ...tables.map(formatTable),
    ...views.map(({ name, definition }) => `create view ${name} as\n${inLowerCase(definition)}\n`),
    ...functions.map(({ definition }) => `create function ${definition};\n`),
  ];
  return parts.join('\n');
}

function formatTable({ name, partition, columns, constraints, indexes, triggers }: Table): string {
  const lines = [...columns.map((column) => `${column.name} ${column.definition}`), ...constraints].map(
    (line) => `  ${line.replaceAll('\n', '\n    ')}`,
  );
  const isPart = partition?.startsWith('partition of');
  const body = isPart ? ` ${partition}` : ` (\n${lines.join(',\n')}\n)${partition ? ` ${partition}` : ''}`;
  const others = [...indexes, ...triggers].map((text) => `${text};`);
  const sql = [`create table ${name}${body};`, ...others].map(inLowerCase).join('\n');
  return `-- ${TABLE_PURPOSES[name]}\n${sql}\n`;
}

/** Postgres writes its own words in capitals, and says what is the default anyway. Names and values in quotes stay. */
function inLowerCase(sql: string): string {
  return sql
    .split(/('(?:[^']|'')*'|"[^"]*")/)
    .map((part, index) =>
      index % 2 ? part : part.toLowerCase().replaceAll('public.', '').replaceAll('using btree ', ''),
    )
    .join('')
    .replaceAll(/('|\))::text\b(?!\[)/g, '$1');
}

const PAGE_HEAD = `# Schema

The tables of the service, grouped by the folder in \`packages/server/src\` that writes them. Constraints, indexes, triggers and functions
are in \`packages/server/schema.sql\`. Both files are written by \`npm run schema\` from a store with all migrations.

The last column says what [erasing a person](privacy.md) does to each text:

${Object.entries(TREATMENTS)
  .map(([treatment, sentence]) => `- *${treatment}*: ${sentence.replace(/^kept: /, '')}`)
  .join('\n')}
`;

/** The page about the schema, for people. */
export function formatPage({ tables }: Schema, owners: Owners): string {
  const sections = owners
    .filter((owner) => owner.tables.length > 0)
    .map(({ folder, tables: owned }) => {
      const pages = tables.filter(({ name }) => owned.includes(name)).map(describeTable);
      return [`## ${folder}`, ...pages].join('\n\n');
    });
  return `${[PAGE_HEAD.trimEnd(), ...sections].join('\n\n')}\n`;
}

function describeTable({ name, columns }: Table): string {
  const rows = columns.map((column) =>
    row([`\`${column.name}\``, column.type, column.isNullable ? 'yes' : '', treatmentOf(name, column.name) ?? '']),
  );
  return [
    `### ${name}`,
    '',
    TABLE_PURPOSES[name] ?? '',
    '',
    row(['Column', 'Type', 'Null', 'Erasure']),
    row(['---', '---', '---', '---']),
    ...rows,
  ].join('\n');
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
