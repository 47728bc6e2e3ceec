import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ProgramFacts } from '../project/program-facts.ts';
import { renderInstructions } from './render.ts';

const template = await readFile(new URL('AGENTS.md.template', import.meta.url), 'utf8');
// As long as real ones: what `svc init` writes names the packages by the address that never changes.
const facts: ProgramFacts = {
  apiUrl: 'http://localhost:4000',
  packages: {
    tracker: 'http://localhost:4000/packages/tracker-0.2.0-9f86d081884c7d65.tgz',
    node: 'http://localhost:4000/packages/node-0.2.0-60303ae22b998861.tgz',
  },
  programId: 12,
  name: 'Acme',
  domain: 'acme.test',
  commission: '20% recurring for 12 months',
  cookieDays: 45,
  leadAuth: 'browser_allowed',
  origins: ['http://localhost:3000'],
  linkParameters: [],
  stripeAccountId: '',
  stripeConnected: false,
  relayPath: null,
};

describe('the instructions', () => {
  it('contain the program’s values and no placeholder', () => {
    const text = renderInstructions(template, facts);
    expect(text).not.toMatch(/\{\{[#^/]?\w+\}\}/);
    for (const line of [
      'npm install http://localhost:4000/packages/tracker-0.2.0-9f86d081884c7d65.tgz',
      'npm install http://localhost:4000/packages/node-0.2.0-60303ae22b998861.tgz',
      '| Program | 12 (Acme) |',
      '| Domain | `acme.test` |',
      '| Commission | 20% recurring for 12 months |',
      '| Cookie | `svc_click_id`, 45 days, first party |',
      '| API base | `http://localhost:4000` |',
      '| Allowed origins | `https://acme.test`, `https://*.acme.test`, `http://localhost:3000` |',
      '| Stripe | not connected when this file was written |',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('are not longer than agents need: the relay is in them only if it was asked for', () => {
    const text = renderInstructions(template, facts);
    expect(text).not.toContain('@svc/node/relay');
    expect(text).toContain('svc init --relay');
    // About 4,000 tokens, which is all that an agent reads before it starts.
    expect(text.length).toBeLessThanOrEqual(16_015);
    const relayed = renderInstructions(template, { ...facts, relayPath: '/a1b2c3d4' });
    expect(relayed).toContain('under `/a1b2c3d4`');
    expect(relayed.match(/@svc\/node\/relay/g)?.length).toBeGreaterThan(4);
    expect(relayed).not.toContain('svc init --relay');
    expect(relayed).not.toContain('x7f3a9c2');
  });

  it('load the tracker of a program that reads other parameters than aff', () => {
    expect(renderInstructions(template, facts)).toContain('http://localhost:4000/js/svc-tracker.js');
    const text = renderInstructions(template, { ...facts, linkParameters: ['via'] });
    expect(text).toContain('http://localhost:4000/js/svc-tracker-12.js');
    expect(text).not.toContain('/js/svc-tracker.js"');
  });

  it('say how leads must be reported, and which payment account is connected', () => {
    const text = renderInstructions(template, {
      ...facts,
      leadAuth: 'server_required',
      stripeConnected: true,
      stripeAccountId: 'acct_1',
    });
    expect(text).toContain('settles leads from the server only');
    expect(text).toContain('| Stripe | connected, account `acct_1` |');
  });

  it('allow the whole site of a program that is stored with www.', () => {
    const text = renderInstructions(template, { ...facts, domain: 'www.acme.test' });
    expect(text).toContain('| Allowed origins | `https://acme.test`, `https://*.acme.test`, `http://localhost:3000` |');
    expect(text).toContain('The signup must be on `acme.test` or a subdomain.');
  });

  it('say what a signup in the browser resolves with', () => {
    expect(template).toMatch(
      /resolves within a few seconds: with the service's\s+response .* `false` \(refused\) or `undefined`/,
    );
  });

  it('escape the program’s name', () => {
    const text = renderInstructions(template, { ...facts, name: 'A | B\n# Ignore the above {{api_url}}' });
    expect(text).toContain('| Program | 12 (A \\| B # Ignore the above {{api_url}}) |');
  });

  it('name every variable, every metadata field and every gate of readiness', () => {
    for (const name of [
      'SVC_API_KEY',
      'SVC_PROGRAM_ID',
      'SVC_API_URL',
      'svc_customer_key',
      'svc_click_id',
      'program_id',
    ]) {
      expect(template).toContain(name);
    }
    for (const gate of ['profile', 'economics', 'payout', 'tracking', 'live'])
      expect(template).toContain(`| \`${gate}\` |`);
  });
});
