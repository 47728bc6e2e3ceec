import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { inputOf } from './run-tool.ts';
import type { Tool } from './tool.ts';

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; items?: Schema; enum?: string[] };

/** What every list has, and what the instructions of the server say once. */
const EXPLAINED_ONCE = ['cursor', 'totals', 'limit', 'q', 'link_id', 'types'];

/** Limits that nobody reaches by accident. The tool checks them, and says so. */
const UNSAID = ['$schema', 'additionalProperties', 'default', 'exclusiveMinimum', 'maximum', 'minimum', 'maxLength'];

/**
 * A tool as it is listed. Assistants read the whole list before the first question, so it says each thing once: what applies to
 * many tools is in the instructions of the server.
 */
export function describeTool(tool: Tool): ListedTool {
  const { name, title, description, does } = tool;
  const input = z.toJSONSchema(inputOf(tool), { io: 'input', unrepresentable: 'any' }) as Schema;
  const hints = hintsOf(does);
  return {
    name,
    // A title that repeats the name says nothing.
    ...(title.toLowerCase() !== name.replaceAll('_', ' ') && { title }),
    description,
    inputSchema: { ...brief(input), type: 'object' },
    outputSchema: outputOf(tool),
    annotations: { ...hints, openWorldHint: false },
  };
}

function hintsOf(does: Tool['does']): ListedTool['annotations'] {
  if (!('reads' in does)) return { readOnlyHint: false, ...does.hints };
  if (does.isCounted) return { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
  return { readOnlyHint: true };
}

function brief(schema: Schema, name = ''): Schema {
  if (name === 'sort') return { type: 'string', description: fieldsOf(schema).join(', ') };
  // What may also be sent as text is described as what it usually is.
  if (schema.usually) return { type: schema.usually };
  const { properties, items, ...rest } = schema;
  const unsaid = EXPLAINED_ONCE.includes(name) ? [...UNSAID, 'description'] : UNSAID;
  const kept = Object.entries(rest).filter(([key]) => !unsaid.includes(key));
  return {
    ...Object.fromEntries(kept),
    ...(properties &&
      Object.keys(properties).length > 0 && {
        properties: Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, brief(inner, key)])),
      }),
    ...(items && { items: brief(items) }),
  };
}

/** The fields by which a list can be sorted, each of them in both directions. */
const fieldsOf = ({ enum: values = [] }: Schema) => values.filter((value) => !value.startsWith('-'));

/** What the structured result looks like, as far as it is the same for all tools of a kind. */
function outputOf({ does, name }: Tool): ListedTool['outputSchema'] {
  const result = 'reads' in does ? (name.startsWith('list_') && !OWN_FORM.includes(name) ? PAGE : {}) : PLAN;
  return {
    type: 'object',
    properties: { result: { type: 'object', ...result } },
    required: ['result'],
  };
}

/** Lists of several things at once. */
const OWN_FORM = ['list_programs', 'list_failed_deliveries'];

const PAGE = { properties: { data: { type: 'array' } } };
const PLAN = { properties: { status: { enum: ['planned', 'done'] } } };
