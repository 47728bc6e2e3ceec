import { RATE_LIMITS, type RouteAuth, type RouteDefinition, routes } from '@svc/contract';
import { z } from 'zod';
import { escapeHtml, page } from './page.ts';

const AUTH_WORDS: Record<RouteAuth, string> = {
  none: 'None.',
  browser: 'None; called from the browser.',
  'optional-key': 'Optional: with a program key it is a server call, without one a browser call.',
  'program-key': 'Program key: Authorization: Bearer …',
  'account-token': 'Account token: Authorization: Bearer …',
  account: 'A signed-in account: session cookie, or Authorization: Bearer … with an account token.',
};

/** The API for people, made from the same declarations that the service runs on. */
export function apiPage(baseUrl: string): string {
  const contents = routes.map((route) => `<li><a href="#${route.id}">${escapeHtml(route.summary)}</a></li>`).join('');
  return page(
    'API',
    `<p>JSON over HTTP at <code>${escapeHtml(baseUrl)}</code>. Money is a whole number of the currency’s smallest unit, times are
ISO 8601 in UTC.</p><ul>${contents}</ul>${routes.map((route) => routeSection(route, baseUrl)).join('\n')}`,
  );
}

function routeSection(route: RouteDefinition, baseUrl: string): string {
  return `<section id="${route.id}">
<h2>${escapeHtml(route.summary)}</h2>
<p><span class="method">${route.method}</span><code>${route.path}</code></p>
<p>${inline(route.description)}</p>
<p>Authentication: ${AUTH_WORDS[route.auth]} ${route.bucket ? `Limit: ${RATE_LIMITS[route.bucket]} a minute.` : ''}</p>
${route.query ? fieldTable('Query', route.query, 'input') : ''}${route.body ? fieldTable('Request', route.body, 'input') : ''}
${fieldTable('Answer', route.reply, 'output')}
<pre>${escapeHtml(example(route, baseUrl))}</pre>
</section>`;
}

type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
};

function fieldTable(title: string, schema: z.ZodType, io: 'input' | 'output'): string {
  const described = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  return `<h3>${title}</h3><table><thead><tr><th>Field</th><th>Type</th><th>Notes</th></tr></thead><tbody>${fieldRows(described, '')}</tbody></table>`;
}

function fieldRows({ properties = {}, required = [] }: JsonSchema, prefix: string): string {
  return Object.entries(properties)
    .map(([name, field]) => {
      const notes = [required.includes(name) ? 'required' : '', field.description ?? ''].filter(Boolean).join('; ');
      const row = `<tr><td><code>${prefix}${name}</code></td><td>${typeWords(field)}</td><td>${inline(notes)}</td></tr>`;
      return field.properties ? row + fieldRows(field, `${prefix}${name}.`) : row;
    })
    .join('');
}

function typeWords(field: JsonSchema): string {
  if (field.enum) return field.enum.map((value) => `<code>${String(value)}</code>`).join(' ');
  if (field.anyOf) return [...new Set(field.anyOf.map(typeWords))].join(' or ');
  return [field.type ?? 'any'].flat().join(' or ');
}

/** Escapes the text and shows what stands between backticks as code. */
function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const EXAMPLE_BODIES: Record<string, object> = {
  trackClick: { affiliate_url: 'https://example.com/?aff=jane' },
  trackLead: { click_id: 'cust_1_1760000000000', customer_key: 'user_42', email: 'ann@example.com' },
  trackSale: { transaction_id: 'order_1001', customer_key: 'user_42', amount_cents: 4900, currency: 'USD' },
  trackRefund: { transaction_id: 'order_1001', refund_amount_cents: 1000, refund_id: 'refund_1' },
};

function example(route: RouteDefinition, baseUrl: string): string {
  const lines = [`curl -X ${route.method} ${baseUrl}${route.path}`];
  if (route.auth.endsWith('key')) lines.push(`-H "Authorization: Bearer $SVC_API_KEY"`);
  if (route.auth.startsWith('account')) lines.push(`-H "Authorization: Bearer $SVC_ACCOUNT_TOKEN"`);
  const body = EXAMPLE_BODIES[route.id];
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`);
  return lines.join(' \\\n  ');
}
