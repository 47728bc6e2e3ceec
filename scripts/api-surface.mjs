// What callers of the API rely on: operations, the fields that they take and return, and the values of each. `npm run release` keeps
// that of the newest release in docs/released-api.json, and a test compares it with the current one. After a build,
// `node scripts/api-surface.mjs <version>` prints it.
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

/**
 * The type of every field by its path, such as `data[].id`. A field that is always required or always there ends with `!`.
 *
 * @typedef {Record<string, string>} Fields
 */
/** @typedef {{ id: string, auth: string[], success: string[], takes: Fields, gives: Fields }} Operation */
/** @typedef {{ release: string, operations: Record<string, Operation> }} Surface */
/** @typedef {{ operation: string, field?: string, what: string }} Change */
/** @typedef {Record<string, any>} Json */

/**
 * @param {Json} document An OpenAPI description.
 * @param {string} release
 * @returns {Surface}
 */
export function surfaceOf(document, release) {
  /** @type {Surface['operations']} */
  const operations = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(/** @type {Json} */ (methods))) {
      operations[`${method.toUpperCase()} ${path}`] = describe(operation, document);
    }
  }
  return { release, operations };
}

/** @param {Json} operation @param {Json} document @returns {Operation} */
function describe({ operationId, security = [], parameters = [], requestBody, responses }, document) {
  /** @type {Fields} */
  const takes = {};
  for (const parameter of parameters.map((/** @type {Json} */ one) => target(one, document))) {
    addField(takes, `${parameter.in}:${parameter.name}`, parameter.schema, parameter.required, document);
  }
  const body = requestBody?.content['application/json']?.schema;
  if (body) addFields(takes, '', body, document);
  const success = Object.keys(responses).filter((status) => status.startsWith('2'));
  /** @type {Fields} */
  const gives = {};
  for (const status of success)
    addFields(gives, '', responses[status].content['application/json']?.schema ?? {}, document);
  return { id: operationId, auth: security.flatMap(Object.keys).sort(), success, takes, gives };
}

/** @param {Json} part @param {Json} document @returns {Json} */
function target(part, document) {
  if (typeof part.$ref !== 'string') return part;
  const found = part.$ref
    .slice(2)
    .split('/')
    .reduce((/** @type {Json} */ at, /** @type {string} */ name) => at?.[name], document);
  return target(/** @type {Json} */ (found), document);
}

/**
 * Adds the fields of an object, of the rows of a list, or of every form that a value can have.
 *
 * @param {Fields} fields
 * @param {string} path
 * @param {Json} reference
 * @param {Json} document
 */
function addFields(fields, path, reference, document) {
  const schema = target(reference, document);
  for (const part of schema.allOf ?? []) addFields(fields, path, part, document);
  const forms = schema.anyOf ?? schema.oneOf ?? [];
  const objects = forms.filter((/** @type {Json} */ form) => target(form, document).type !== 'null');
  // What only some forms have is not always there.
  if (objects.length === 1) addFields(fields, path, objects[0], document);
  if (schema.items) addFields(fields, `${path}[]`, schema.items, document);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) ?? false;
    addField(fields, path ? `${path}.${name}` : name, /** @type {Json} */ (field), isRequired, document);
  }
}

/**
 * @param {Fields} fields
 * @param {string} path
 * @param {Json} schema
 * @param {boolean} isRequired
 * @param {Json} document
 */
function addField(fields, path, schema, isRequired, document) {
  fields[path] = `${typesOf(schema, document).join('|')}${isRequired ? '!' : ''}`;
  addFields(fields, path, schema, document);
}

/** The types or the values that a field can have. @param {Json} reference @param {Json} document @returns {string[]} */
function typesOf(reference, document) {
  const schema = target(reference, document);
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value));
  const forms = schema.anyOf ?? schema.oneOf;
  const all = forms
    ? forms.flatMap((/** @type {Json} */ form) => typesOf(form, document))
    : [schema.type ?? 'any'].flat();
  return [...new Set(/** @type {string[]} */ (all))].sort();
}

/**
 * What callers of the earlier one would notice: what docs/versioning.md calls breaking.
 *
 * @param {Surface} before
 * @param {Surface} after
 * @returns {Change[]}
 */
export function breakingChanges(before, after) {
  return Object.entries(before.operations).flatMap(([operation, was]) => {
    const is = after.operations[operation];
    if (!is) return [{ operation, what: 'is gone' }];
    const changes = [
      ...(was.id === is.id ? [] : [{ what: `has the id ${is.id} instead of ${was.id}` }]),
      ...(isDeepStrictEqual(was.success, is.success)
        ? []
        : [{ what: `answers ${is.success} instead of ${was.success}` }]),
      ...was.auth.filter((kind) => !is.auth.includes(kind)).map((kind) => ({ what: `no longer accepts ${kind}` })),
      ...Object.entries(is.takes).flatMap(([field, type]) => asked(field, was.takes[field], type)),
      ...Object.keys(was.takes).flatMap((field) => (field in is.takes ? [] : [{ field, what: 'is no longer taken' }])),
      ...Object.entries(was.gives).flatMap(([field, type]) => given(field, type, is.gives[field])),
    ];
    return changes.map((change) => ({ operation, ...change }));
  });
}

/** @param {string} field @param {string | undefined} was @param {string} is @returns {Omit<Change, 'operation'>[]} */
function asked(field, was, is) {
  if (is.endsWith('!') && !was?.endsWith('!')) return isPartOfNew(field, was) ? [] : [{ field, what: 'is required' }];
  if (was === undefined) return [];
  const refused = kinds(was).filter((kind) => !accepts(kinds(is), kind));
  return refused.length === 0 ? [] : [{ field, what: `no longer takes ${refused.join(', ')}` }];
}

/** A required field of an object that is new and optional itself asks nothing of anybody. @param {string} field @param {string | undefined} was */
const isPartOfNew = (field, was) => was === undefined && /[.[]/.test(field);

/** @param {string} field @param {string} was @param {string | undefined} is @returns {Omit<Change, 'operation'>[]} */
function given(field, was, is) {
  if (is === undefined) return [{ field, what: 'is no longer returned' }];
  if (was.endsWith('!') && !is.endsWith('!')) return [{ field, what: 'may be absent' }];
  const added = kinds(is).filter((kind) => !accepts(kinds(was), kind));
  // A field with a list of values may get further ones.
  const isList = kinds(was).some((kind) => kind.startsWith('"'));
  const noticed = added.filter((kind) => !(isList && kind.startsWith('"')));
  return noticed.length === 0 ? [] : [{ field, what: `may be ${noticed.join(', ')}` }];
}

/** @param {string} type */
const kinds = (type) => type.replace(/!$/, '').split('|');

/** Whether a value of the kind fits: a text fits where any text does. @param {string[]} all @param {string} kind */
function accepts(all, kind) {
  if (all.includes(kind) || all.includes('any')) return true;
  if (kind.startsWith('"')) return all.includes('string') || (/^"(true|false)"$/.test(kind) && all.includes('boolean'));
  return (
    (kind === 'integer' && all.includes('number')) || ((kind === 'true' || kind === 'false') && all.includes('boolean'))
  );
}

/** The file: a line for each operation, so that differences can be read. @param {Surface} surface */
export function writeSurface({ release, operations }) {
  const lines = Object.entries(operations).map(
    ([name, operation]) => `    ${JSON.stringify(name)}: ${JSON.stringify(operation)}`,
  );
  return `{\n  "release": ${JSON.stringify(release)},\n  "operations": {\n${lines.join(',\n')}\n  }\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { openApiDocument } = await import('@svc/contract');
  const [, , version = ''] = process.argv;
  process.stdout.write(writeSurface(surfaceOf(openApiDocument('https://track.example.com', version), version)));
}
