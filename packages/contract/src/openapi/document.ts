import { routeGroups, routes } from '../routes.ts';
import { ERROR, errorComponents, WARNING } from './error-responses.ts';
import { headerComponents, idempotencyKeyParameter, ifMatchParameter, ifNoneMatchParameter } from './headers.ts';
import { operationOf } from './operation.ts';
import { withNamedParts } from './parts.ts';
import { createSchemas } from './schemas.ts';
import { webhooksOf } from './webhooks.ts';

/** What each group of routes is for. */
const GROUPS: Record<string, string> = {
  Tracking: 'Clicks, leads, sales and refunds, one at a time or in batches, and how complete the integration is.',
  Events: 'What has become true: a feed of numbered events, and endpoints that they are sent to.',
  'CLI sign-in': 'How a terminal signs in: start, approve in a browser, poll.',
  'CLI programs': 'Programs, their status and test events, for the command line.',
  'Your account': 'The signed-in account: mail, second factors, sessions and tokens.',
  Team: 'The people of a workspace, their roles and invitations, and the audit log.',
  Programs: 'Programs, their settings, keys and join pages.',
  Terms: 'What a program pays: versions, rules, groups of partners, and what a change would have cost.',
  Partners: 'The partners of a program: invitations, notes, history and coupons.',
  Links: 'Referral links.',
  Creatives: 'Files, links and texts that partners use.',
  Messages: 'What a brand writes to its partners, and its own words in mails.',
  'Link hosts': 'Hosts of your own that short links work on.',
  Imports: 'Partners, links, customers and balances of another tool, taken over and taken back.',
  'Sales and customers': 'Tracked events and the reason for each decision.',
  Privacy: 'Exporting and erasing people.',
  Commissions: 'Reviewing commissions.',
  Performance: 'Numbers over time and by facet.',
  Payouts: 'Balances, payouts and earnings.',
  Exports: 'Lists as CSV files.',
  'Bulk actions': 'Changes to many rows that the service works through on its own.',
  'Saved views': 'Saved list filters.',
  'Payment processor': 'Connecting Stripe, Paddle, Polar, Lemon Squeezy or a custom sender, and their events.',
};

const DESCRIPTION = (baseUrl: string) =>
  `JSON over HTTP at ${baseUrl}. Amounts are whole numbers of the smallest currency unit. Times are ISO 8601 in UTC. \`null\` counts as absent, unknown fields are ignored, and replies may get further fields.`;

export type OpenApiDocument = {
  openapi: string;
  info: object;
  servers: object[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, unknown>>;
  /** What is sent to webhook endpoints, by type. */
  webhooks: Record<string, Record<string, unknown>>;
  components: Record<'securitySchemes' | 'schemas' | 'headers' | 'parameters' | 'responses', Record<string, object>>;
};

/** The API description (OpenAPI 3.1) of every declared route. */
export function openApiDocument(baseUrl: string, version: string): OpenApiDocument {
  const schemas = createSchemas();
  schemas.add('Error', ERROR);
  schemas.add('Warning', WARNING);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { name, routes } of routeGroups) {
    for (const route of routes) {
      const path = route.path.replace(/:([a-z_]+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, name, schemas) };
    }
  }
  const webhooks = webhooksOf('Events', schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Affiliate attribution API',
      version,
      description: DESCRIPTION(baseUrl),
      contact: { name: 'Documentation', url: `${baseUrl}/docs/guide` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: routeGroups.map(({ name }) => ({ name, description: GROUPS[name] ?? name })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        programKey: { type: 'http', scheme: 'bearer', description: 'The program API key.' },
        accountToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The login token of an account, from the CLI login.',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'svc.session_token' },
      },
      schemas: withNamedParts(schemas.named),
      headers: headerComponents,
      parameters: {
        IdempotencyKey: idempotencyKeyParameter,
        IfNoneMatch: ifNoneMatchParameter,
        IfMatch: ifMatchParameter,
      },
      responses: errorComponents(routes),
    },
  };
}
