import { readFileSync } from 'node:fs';
import { openApiDocument } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { breakingChanges, type Surface, surfaceOf } from './api-surface.mjs';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const released: Surface = JSON.parse(read('docs/released-api.json'));
const changelog = read('CHANGELOG.md');

/** What the changelog says about breaking changes since the release, an entry each. */
function namedBreaking(): string[] {
  const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(changelog) ?? [];
  return unreleased.split(/^- /m).filter((entry) => entry.startsWith('**Breaking'));
}

describe('the API since the newest release', () => {
  it('is compared with the release that the changelog names last', () => {
    const [, newest] = /^## (\d+\.\d+\.\d+) \(/m.exec(changelog) ?? [];
    expect(released.release).toBe(newest);
  });

  it('has no breaking change that the changelog does not name', () => {
    const current = surfaceOf(openApiDocument('https://track.test', '1.0.0'), 'next');
    const unnamed = breakingChanges(released, current).filter(({ operation, field }) => {
      const name = field?.split(/[.:]/).at(-1)?.replace('[]', '') ?? operation.split('/').at(-1) ?? operation;
      return !namedBreaking().some((entry) => entry.includes(`\`${name}\``) || entry.includes(`/${name}\``));
    });
    expect(unnamed).toEqual([]);
  });
});

describe('a change is breaking', () => {
  const schemas = {
    Body: {
      type: 'object',
      properties: { name: { type: 'string' }, kind: { enum: ['a', 'b'] }, nested: { type: 'object', properties: {} } },
      required: ['name'],
    },
    Row: {
      type: 'object',
      properties: { id: { type: 'integer' }, status: { enum: ['on'] }, note: { type: ['string', 'null'] } },
      required: ['id', 'status', 'note'],
    },
  };
  const operation = {
    operationId: 'addThing',
    security: [{ key: [] }, { session: [] }],
    parameters: [{ name: 'sort', in: 'query', schema: { enum: ['id', '-id'] } }],
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Row' } } } }, 400: {} },
  };
  type Described = { paths: Record<string, { post: typeof operation }>; components: { schemas: typeof schemas } };

  /** What is noticed when the description is edited. */
  function noticed(edit: (described: Described) => void): string[] {
    const described = (): Described =>
      structuredClone({ paths: { '/things': { post: operation } }, components: { schemas } });
    const edited = described();
    edit(edited);
    const changes = breakingChanges(surfaceOf(described(), '1'), surfaceOf(edited, '2'));
    return changes.map(({ field, what }) => [...(field ? [field] : []), what].join(' '));
  }
  const bodyOf = ({ components }: Described) => components.schemas.Body as { properties: object; required: string[] };
  const rowOf = ({ components }: Described) => components.schemas.Row as { properties: object; required: string[] };
  const postOf = ({ paths }: Described) => paths['/things']!.post;

  it.each<[change: string, edit: (described: Described) => void, noticed: string[]]>([
    ['a route that is gone', (all) => delete all.paths['/things'], ['is gone']],
    ['another id', (all) => (postOf(all).operationId = 'other'), ['has the id other instead of addThing']],
    ['a credential that is refused', (all) => postOf(all).security.pop(), ['no longer accepts session']],
    ['a field that is required', (all) => bodyOf(all).required.push('kind'), ['kind is required']],
    [
      'a new field that is required',
      (all) => {
        Object.assign(bodyOf(all).properties, { age: { type: 'integer' } });
        bodyOf(all).required.push('age');
      },
      ['age is required'],
    ],
    [
      'a field that is not taken',
      (all) => Reflect.deleteProperty(bodyOf(all).properties, 'kind'),
      ['kind is no longer taken'],
    ],
    [
      'a value that is not taken',
      (all) => Object.assign(bodyOf(all).properties, { kind: { enum: ['a'] } }),
      ['kind no longer takes "b"'],
    ],
    ['a parameter that is not taken', (all) => (postOf(all).parameters = []), ['query:sort is no longer taken']],
    [
      'a field that is not returned',
      (all) => Reflect.deleteProperty(rowOf(all).properties, 'status'),
      ['status is no longer returned'],
    ],
    ['a field that may be absent', (all) => (rowOf(all).required = ['id', 'note']), ['status may be absent']],
    [
      'a field that may be null',
      (all) => Object.assign(rowOf(all).properties, { id: { type: ['integer', 'null'] } }),
      ['id may be null'],
    ],
    ['another type', (all) => Object.assign(rowOf(all).properties, { id: { type: 'string' } }), ['id may be string']],
  ])('%s', (_, edit, changes) => {
    expect(noticed(edit)).toEqual(changes);
  });

  it.each<[change: string, edit: (described: Described) => void]>([
    ['a new field of a body', (all) => Object.assign(bodyOf(all).properties, { age: { type: 'integer' } })],
    ['a new value of a body', (all) => Object.assign(bodyOf(all).properties, { kind: { enum: ['a', 'b', 'c'] } })],
    ['any text instead of values', (all) => Object.assign(bodyOf(all).properties, { kind: { type: 'string' } })],
    ['a field that is no longer required', (all) => (bodyOf(all).required = [])],
    ['a new field of a reply', (all) => Object.assign(rowOf(all).properties, { age: { type: 'integer' } })],
    ['a new value of a reply', (all) => Object.assign(rowOf(all).properties, { status: { enum: ['on', 'off'] } })],
    ['a field that is never null anymore', (all) => Object.assign(rowOf(all).properties, { note: { type: 'string' } })],
    ['a new route', (all) => Object.assign(all.paths, { '/others': { post: operation } })],
  ])('unless it is %s', (_, edit) => {
    expect(noticed(edit)).toEqual([]);
  });
});
