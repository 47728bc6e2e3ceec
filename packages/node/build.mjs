// Builds the npm package in dist/package: both module formats, and types that are written out from the contract.
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { buildCommonJs, put } from '../../scripts/commonjs.mjs';
import {
  feedEventSchemas,
  MANAGE,
  routes,
  trackClick,
  trackLead,
  trackRefund,
  trackSale,
  webhookTestEvent,
} from '../contract/dist/index.js';

const HERE = new URL('./', import.meta.url);
const PACKAGE = new URL('dist/package/', HERE);
const MODULES = new URL('dist/', PACKAGE);
const { version: VERSION } = JSON.parse(await readFile(new URL('package.json', HERE), 'utf8'));

/** The types of `src/bodies.ts`. */
const TYPES = {
  Click: trackClick,
  Lead: trackLead,
  Sale: trackSale,
  Refund: trackRefund,
};

/**
 * A schema as TypeScript, with its descriptions as comments.
 *
 * @param {any} schema
 * @returns {string}
 */
function typeOf(schema) {
  if (schema.$ref) return schema.$ref.slice('#/$defs/'.length);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) {
    return schema.type.map((/** @type {string} */ type) => typeOf({ ...schema, type })).join(' | ');
  }
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`;
  if (schema.type === 'object' && !schema.properties) return 'Record<string, unknown>';
  if (schema.type === 'object') return objectType(schema);
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
}

function objectType(/** @type {any} */ { properties, required = [], additionalProperties }) {
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name);
    const comment = field.description ? `/** ${field.description.replaceAll('*/', '* /')} */\n` : '';
    return `${comment}${name}${isRequired ? '' : '?'}: ${typeOf(field)}${isRequired ? '' : ' | undefined'};`;
  });
  if (additionalProperties) fields.push('[field: string]: unknown;');
  return `{\n${fields.join('\n')}\n}`;
}

function typesOfBodies() {
  const json = (/** @type {z.ZodType} */ schema, /** @type {'input' | 'output'} */ io) =>
    typeOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  const types = Object.entries(TYPES).flatMap(([name, { body, reply }]) => [
    `export type ${name}Body = ${json(body, 'input')};\n`,
    `export type ${name}Reply = ${json(reply, 'output')};\n`,
  ]);
  return types.join('\n');
}

/** Writes schemas as types. Rows with names of their own become types of their own. */
function describer() {
  /** @type {Map<string, string>} */
  const named = new Map();
  const json = (/** @type {any} */ schema, /** @type {'input' | 'output'} */ io = 'output') => {
    const { $defs = {}, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    for (const [name, row] of Object.entries($defs)) {
      const type = typeOf(row);
      if ((named.get(name) ?? type) !== type) throw new Error(`${name} is sent and returned in different forms`);
      named.set(name, type);
    }
    return typeOf(described);
  };
  return { json, rows: () => [...named].map(([name, type]) => `type ${name} = ${type};\n`) };
}

/** The types of `src/events.ts`. The rows that events are about have names of their own. */
function typesOfEvents() {
  const { json, rows } = describer();
  const types = Object.entries(feedEventSchemas).map(([type, schema]) => `'${type}': ${json(schema)};`);
  return [
    ...rows(),
    '/** What has become true, by type. */',
    `export type SvcEvents = {\n${types.join('\n')}\n};\n`,
    'export type SvcEventType = keyof SvcEvents;\n',
    '/** What an endpoint gets when a person tests it. */',
    `export type SvcTestEvent = ${json(webhookTestEvent)};\n`,
    'export {};\n',
  ].join('\n');
}

/** The types of `src/manage-routes.ts`. */
function typesOfManageRoutes() {
  const { json, rows } = describer();
  const sent = (/** @type {any} */ schema) => {
    if (!schema) return 'undefined';
    return json(schema, 'input') + (schema.safeParse({}).success ? ' | undefined' : '');
  };
  const types = routes
    .filter(({ path, replyType, receives }) => path.startsWith(`${MANAGE}/`) && !replyType && !receives)
    .map(
      ({ method, path, summary, query, body, reply }) => `/** ${summary}. */
'${method} ${path.slice(MANAGE.length)}': {
query: ${sent(query)};
body: ${sent(body)};
reply: ${json(reply)};
};`,
    );
  return [
    ...rows(),
    '/** Every route of the management API, by method and path: what it takes and what it returns. */',
    `export type ManageRoutes = {\n${types.join('\n')}\n};\n`,
    'export {};\n',
  ].join('\n');
}

/** @type {Record<string, () => string>} */
const WRITTEN = {
  'bodies.d.ts': typesOfBodies,
  'events.d.ts': typesOfEvents,
  'manage-routes.d.ts': typesOfManageRoutes,
  'version.js': () => `export const VERSION = '${VERSION}';\n`,
};

await mkdir(MODULES, { recursive: true });
for (const name of await readdir(new URL('dist/', HERE))) {
  if (!/\.(js|d\.ts)$/.test(name)) continue;
  const contents = WRITTEN[name]?.() ?? (await readFile(new URL(`dist/${name}`, HERE)));
  await put(new URL(name, MODULES), contents);
}
await buildCommonJs(MODULES);
for (const name of ['package.json', 'README.md', 'LICENSE'])
  await copyFile(new URL(name, HERE), new URL(name, PACKAGE));
const files = await readdir(MODULES);
for (const name of files.filter((file) => file.endsWith('.d.ts'))) {
  const text = await readFile(new URL(name, MODULES), 'utf8');
  if (/from '(?!\.)/.test(text)) throw new Error(`The types in ${name} need another package`);
}
console.error('Server package: built.');
