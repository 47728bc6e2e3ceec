import { exampleCode, isExampleName, withoutWww } from '@svc/contract';
import type { ProgramFacts } from '../project/program-facts.ts';

/** Fills the program's values into the instruction template. */
export function renderInstructions(template: string, facts: ProgramFacts): string {
  const values: Record<string, string> = {
    api_url: facts.apiUrl,
    tracker_package: facts.packages.tracker,
    node_package: facts.packages.node,
    program_id: String(facts.programId),
    name: escapeCell(facts.name),
    domain: facts.domain,
    // Older programs may be stored with `www.`, which does not limit them.
    site: withoutWww(facts.domain),
    commission: facts.commission,
    cookie_days: String(facts.cookieDays),
    origins: allowedOrigins(facts),
    lead_note: leadNote(facts),
    stripe_state: stripeState(facts),
    relay_path: facts.relayPath ?? '',
  };
  const { relayPath } = facts;
  return template
    .replace(/\{\{([#^])relay\}\}\n([\s\S]*?)\{\{\/relay\}\}\n/g, (_, kind: string, part: string) =>
      (kind === '#') === (relayPath !== null) ? part : '',
    )
    .replace(/\{\{example (.+?)\}\}/g, (_, names: string) => codeBlock(names.split(' '), facts))
    .replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

function allowedOrigins({ domain, origins }: ProgramFacts): string {
  const site = withoutWww(domain);
  return [`https://${site}`, `https://*.${site}`, ...origins].map((origin) => `\`${origin}\``).join(', ');
}

function leadNote({ leadAuth }: ProgramFacts): string {
  return leadAuth === 'server_required'
    ? 'This program settles leads from the server only (`lead_auth: server_required`): use the server call. A browser lead stays provisional until the server sends the same lead.'
    : 'This program also accepts leads from the browser.';
}

/** The path in the examples, which stands for any. */
const EXAMPLE_PATH = 'x7f3a9c2';

function stripeState({ stripeConnected, stripeAccountId }: ProgramFacts): string {
  if (!stripeConnected) return 'not connected when this file was written';
  return stripeAccountId ? `connected, account \`${stripeAccountId}\`` : 'connected';
}

/** The code of examples, which the dashboard and the docs show too. */
function codeBlock(names: string[], facts: ProgramFacts): string {
  const { apiUrl, programId, linkParameters, cookieDays, relayPath } = facts;
  const known = names.filter(isExampleName);
  if (known.length < names.length) throw new Error(`There is no example for ${names.join(', ')}`);
  const tracker = { link_parameters: linkParameters, cookie_window_days: cookieDays };
  const language = /\.(\w+)(?:#|$)/.exec(names[0] ?? '')?.[1];
  const code = exampleCode(apiUrl, programId, tracker)(...known);
  return `\`\`\`${language}\n${code.replaceAll(EXAMPLE_PATH, relayPath?.slice(1) ?? EXAMPLE_PATH)}\`\`\``;
}

/** Escapes a name so that it cannot break out of its table cell. */
function escapeCell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/([|`<>[\]\\])/g, '\\$1');
}
