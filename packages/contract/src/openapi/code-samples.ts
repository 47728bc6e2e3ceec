import { MANAGE } from '../manage/route.ts';
import type { RouteDefinition } from '../routing/route.ts';

/** A call of a route as somebody would write it. */
type CodeSample = { lang: 'Shell' | 'JavaScript'; label: string; source: string };

type Way = (route: RouteDefinition, example: unknown) => string;

/** How `@svc/node` calls the routes that most integrations begin with. The others are called in the same way. */
const WAYS: Record<string, Way> = {
  trackClick: (_, example) => report('click', example),
  trackLead: (_, example) => report('lead', example),
  trackSale: (_, example) => report('sale', example),
  trackRefund: (_, example) => report('refund', example),
  trackBatch: (_, example) => report('batch', (example as { items: unknown[] }).items),
  managePartners: (route) => list(route, 'partner'),
  manageAddPartner: call,
  manageSaleByTransactionId: call,
  manageCommissions: (route) => list(route, 'commission'),
  manageReviewCommissions: call,
};

/** Code for curl and `@svc/node`, under the name that readers of API descriptions know; nothing for the other routes. */
export function codeSamplesOf(route: RouteDefinition, example: unknown): { 'x-codeSamples'?: CodeSample[] } {
  const way = WAYS[route.id];
  if (!way) return {};
  return {
    'x-codeSamples': [
      { lang: 'Shell', label: 'curl', source: curl(route, example) },
      { lang: 'JavaScript', label: '@svc/node', source: way(route, example) },
    ],
  };
}

const PARAMETERS: Record<string, string | number> = { program_id: 42, transaction_id: 'order_1001' };

/** Those of the path, by name. */
function parametersIn(path: string): [name: string, value: string | number][] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => [name, PARAMETERS[name] ?? 1]);
}

function curl({ path, auth }: RouteDefinition, example: unknown): string {
  const address = parametersIn(path).reduce((text, [name, value]) => text.replace(`:${name}`, String(value)), path);
  const secret = path.startsWith(MANAGE) ? 'SVC_TOKEN' : 'SVC_API_KEY';
  return [
    `curl "$SVC_API_URL${address}"`,
    ...(auth === 'browser' ? [] : [`-H "Authorization: Bearer $${secret}"`]),
    // With data, curl sends a POST.
    ...(example === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example)}'`]),
  ].join(' \\\n  ');
}

function report(name: string, value: unknown): string {
  return `import { svc } from '@svc/node';\n\nconsole.log(await svc.${name}(${literal(value)}));\n`;
}

const CLIENT = `import { createManage } from '@svc/node/manage';\n\nconst manage = createManage({ token: process.env.SVC_TOKEN });\n`;

function call(route: RouteDefinition, body: unknown): string {
  return `${CLIENT}const { data } = await manage.call(${argumentsOf(route, body)});\nconsole.log(data);\n`;
}

function list(route: RouteDefinition, row: string): string {
  return `${CLIENT}for await (const ${row} of manage.rows(${argumentsOf(route)})) console.log(${row});\n`;
}

function argumentsOf({ method, path }: RouteDefinition, body?: unknown): string {
  const given = { params: Object.fromEntries(parametersIn(path)), ...(body !== undefined && { body }) };
  return `'${method} ${path.slice(MANAGE.length)}', ${literal(given)}`;
}

const MAX_LINE = 60;

/** The value as JavaScript, on one line if it is short. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([name, part]) => `${isList ? '' : `${name}: `}${literal(part, inner)}`);
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  const lines = parts.map((part) => `${inner}${part},\n`).join('');
  return isList ? `[\n${lines}${indent}]` : `{\n${lines}${indent}}`;
}
