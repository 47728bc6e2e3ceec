import type { z } from 'zod';
import type { TestService } from '../service.ts';

export type Schema = Parameters<typeof z.fromJSONSchema>[0] & z.core.JSONSchema.BaseSchema;
type Content = Record<string, { schema: Schema; example?: unknown }>;
type DescribedResponse = { description: string; headers?: Record<string, object>; content: Content };
export type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; schema: Schema; example?: unknown }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, DescribedResponse>;
};
export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description: string; contact: object };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
};

/** The API description of the service. */
export async function openApi(service: TestService): Promise<OpenApi> {
  return (await service.call('GET', '/openapi.json')).body;
}

const inlined = new WeakMap<TestService, Promise<OpenApi>>();

/** The API description with everything that it refers to in place, which takes a while to write. */
export function inlinedOpenApi(service: TestService): Promise<OpenApi> {
  const written = inlined.get(service) ?? openApi(service).then((document) => inline(document, document) as OpenApi);
  inlined.set(service, written);
  return written;
}

function inline(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if (typeof $ref === 'string') return inline(targetOf($ref, document), document);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner, document)]));
}

/** What a reference leads to. */
export function targetOf(reference: string, document: object): unknown {
  const names = reference.slice(2).split('/');
  return names.reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], document);
}

/** The schema of the body outside test mode. */
export function requestSchema({ requestBody }: Operation): Schema {
  const schema = requestBody?.content['application/json']?.schema as Schema;
  return (schema.anyOf?.[0] as Schema | undefined) ?? schema;
}

export const replySchema = ({ responses }: Operation, status: number | string) =>
  responses[status]?.content['application/json']?.schema as Schema;

/** The schema with no fields but those it has. Callers must expect more; the service must not send any that it does not declare. */
export function closed<Part>(schema: Part): Part {
  if (Array.isArray(schema)) return schema.map(closed) as Part;
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, closed(inner)]));
  const isOpen = parts.type === 'object' && 'properties' in parts && !('additionalProperties' in parts);
  return { ...parts, ...(isOpen && { additionalProperties: false }) } as Part;
}
