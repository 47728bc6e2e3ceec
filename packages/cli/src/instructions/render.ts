import type { Facts } from '../project/facts.ts';

/** Fills the program's values into the template of the instructions. */
export function renderInstructions(template: string, facts: Facts): string {
  const values: Record<string, string> = {
    api_url: facts.apiUrl,
    program_id: String(facts.programId),
    name: oneLine(facts.name),
    domain: facts.domain,
    commission: facts.commission,
    cookie_days: String(facts.cookieDays),
    origins: allowedOrigins(facts),
    lead_note: leadNote(facts),
    stripe_state: stripeState(facts),
  };
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

function allowedOrigins({ domain, origins }: Facts): string {
  return [`https://${domain}`, `https://*.${domain}`, ...origins].map((origin) => `\`${origin}\``).join(', ');
}

function leadNote({ leadAuth }: Facts): string {
  return leadAuth === 'server_required'
    ? 'This program settles leads from the server only (`lead_auth: server_required`): use the server call. A browser lead stays provisional until the server sends the same lead.'
    : 'This program also takes leads from the browser.';
}

function stripeState({ stripeConnected, stripeAccountId }: Facts): string {
  if (!stripeConnected) return 'not connected when this file was written';
  return stripeAccountId ? `connected, account \`${stripeAccountId}\`` : 'connected';
}

/** A name is somebody's text: it stays within its cell of the table. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/([|`<>[\]\\])/g, '\\$1');
}
