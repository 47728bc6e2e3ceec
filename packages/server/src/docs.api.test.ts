import { readFile } from 'node:fs/promises';
import { COMMISSION_TYPE_NAMES, checkoutGuides, EMPTY_SHOPS, emptyShop, RATE_LIMITS, routes } from '@svc/contract';
import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { curlCommands } from '@svc/testkit/service/processes/curl.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { reasons } from './decisions/reasons.ts';
import { operatorCommands } from './operator/commands.ts';
import { runCommand } from './operator/run-command.ts';
import { processors } from './payments/processors/processors.ts';

const service = useService();
const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

async function setUp(link: string) {
  const options = Object.fromEntries(
    operatorCommands[0]!.options.map(({ flags, default: value }) => [optionName(flags), value]),
  );
  const reply = await runCommand({ ...service.ctx, withSecrets: async () => service.ctx }, 'http://localhost:4000', {
    command: 'setup',
    options: { ...options, link, partnerEmail: `${link}@example.com` },
  });
  return { text: reply.text, data: reply.data as { api_key: string; program_id: number } };
}

/** Runs the commands in order, with the click id of the first response in the later ones. */
async function runCurls(text: string, values: Record<string, string>) {
  const answers = [];
  const count = curlCommands(text, values).length;
  for (let index = 0; index < count; index += 1) {
    const { method, path, headers, body } = curlCommands(text, values)[index]!;
    const answer = await service.call(method, path, { headers, body });
    if (answer.body?.click_id) values.click_id = answer.body.click_id;
    answers.push(answer);
  }
  return answers;
}

function optionName(flags: string): string {
  return flags.replace(/^--(\S+).*/, '$1').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The address of a heading in rendered Markdown. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** What the docs say about payment processors, one page after the other. */
async function readPayments(): Promise<string> {
  const names = ['payments', 'paddle', 'polar', 'lemon-squeezy', 'other-processors'];
  return (await Promise.all(names.map((name) => read(`docs/${name}.md`)))).join('\n');
}

describe('the docs', () => {
  it('README: the commands in “Try it” work as written', async () => {
    const { data } = await setUp('jane');
    const answers = await runCurls((await read('README.md')).replaceAll('order_1', 'order_2'), {
      SVC_API_KEY: data.api_key,
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[3]?.body.data).toMatchObject({ status: 'partially_reversed', deduction_cents: 200 });
  });

  it('README: every file and every section that it links to is there, and its moving picture moves', async () => {
    const text = await read('README.md');
    for (const [, path = '', anchor] of text.matchAll(/\]\(((?!https?:)[^)#]+)(?:#([^)]+))?\)/g)) {
      const linked = path.endsWith('/') ? '' : await read(path);
      const headings = [...linked.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
      if (anchor) expect(headings, path).toContain(anchor);
    }
    const picture = await readFile(new URL('../../../docs/images/tour.webp', import.meta.url));
    expect(picture.length).toBeLessThan(1_000_000);
    expect(picture.readUInt32LE(4)).toBe(picture.length - 8);
    expect(picture.toString('latin1').split('ANMF')).toHaveLength(8);
  });

  it('setup: the printed commands work as printed', async () => {
    const { text, data } = await setUp('first');
    expect(text).toContain(data.api_key);
    const answers = await runCurls(text, { SVC_API_KEY: data.api_key });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('docs/api.md: the bodies of clicks, leads, sales, refunds and batches are accepted as written', async () => {
    const { data } = await setUp('doc');
    const text = await read('docs/api.md');
    const body = (section: string): Record<string, unknown> =>
      JSON.parse(new RegExp(`## ${section}\\n[\\s\\S]*?\`\`\`json\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? '');
    const key = { key: data.api_key };
    const click = await service.click({ affiliate_url: String(body('Clicks').affiliate_url).replace('jane', 'doc') });
    const lead = await service.lead({ ...body('Leads'), click_id: click.body.click_id }, key);
    const sale = await service.sale(body('Sales'), key);
    const refund = await service.refund(body('Refunds'), key);
    expect([click, lead, sale, refund].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(sale.body.data.commission_cents).toBe(980);
    const batch = await service.call('POST', '/api/v1/track/batch', { ...key, body: body('Batches') });
    expect(batch.body.data.results.map(({ status }: { status: number }) => status)).toEqual([200, 200, 200]);
  });

  it('docs/management-api.md: all routes are listed, and no others', async () => {
    const text = await read('docs/management-api.md');
    const section = text.split('## Routes')[1]?.split('\n## ')[0] ?? '';
    const tables = section.split('| Under `').slice(1);
    const named = tables.flatMap((table) => {
      const base = table.slice(0, table.indexOf('`'));
      return [...table.matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([^`]*)`/g)].map(
        ([, method, path]) => `${method} ${base}${path}`,
      );
    });
    const managed = routes.filter(({ path }) => path.startsWith('/api/v1/manage'));
    expect(named.sort()).toEqual(managed.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('docs/management-api.md: the bodies of a new program, of a bulk review, of an import and of payouts are accepted as written', async () => {
    const section = (await read('docs/management-api.md')).split('## A new program')[1] ?? '';
    const [program, review, , , rows, payout, paid] = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(
      ([, json = '']) => JSON.parse(json),
    );
    const made = await ownedProgram(service);
    const created = await service.call('POST', '/api/v1/manage/programs', { key: made.owner.token, body: program });
    expect([created.status, created.body.data.commission]).toEqual([201, '20% recurring for 12 months']);
    await sold(service, made);
    const rejection = { ...review, filter: { ...review.filter, partner_id: made.partnerId }, count: 1 };
    const reviewed = await asOwner(service, made, 'POST', '/commissions/review', rejection);
    expect(reviewed.body.data).toEqual({ changed: 1, skipped: [] });
    const imported = await asOwner(service, made, 'POST', '/imports', rows);
    expect(imported.body.data.rows).toMatchObject([{ outcome: 'created', links: [{ outcome: 'created' }] }]);
    await approvedSale(service, made);
    const [open] = await paidOut(service, made, { ...payout, partner_id: made.partnerId });
    const answer = await asOwner(service, made, 'POST', `/payouts/${open?.id}/mark-paid`, paid);
    expect(answer.body.data).toMatchObject({ status: 'paid', amount_cents: 2_000, ...paid });
  });

  it('docs/api.md: the rate limits are those of the contract', async () => {
    const text = await read('docs/api.md');
    const shown = [...text.matchAll(/^\| [^|]+ \| (\d+) +\| [^|]+ \|$/gm)].map(([, limit]) => Number(limit));
    expect(shown).toEqual(Object.values(RATE_LIMITS));
  });

  it('the pages of payment processors: the code is the one that the settings page shows, all of it and nothing else', async () => {
    const blocks = (await readPayments()).matchAll(/^( *)```(?:js|ts|html)\n([\s\S]*?)^\1```/gm);
    const shown = [...blocks].map(([, indent, code = '']) => code.replace(new RegExp(`^${indent}`, 'gm'), ''));
    const guides = Object.values(checkoutGuides).map((guideOf) => guideOf(42, 'https://track.example.com'));
    const snippets = guides.flatMap(({ shared, ways }) => [...shared, ...ways.flatMap((way) => way.snippets)]);
    const shops = EMPTY_SHOPS.map((name) => emptyShop(name, 'https://track.example.com', 42));
    const codes = [...snippets, ...shops].map(({ code }) => code);
    expect(shown.sort()).toEqual([...new Set(codes)].sort());
  });

  it('the pages of payment processors: every event to select and every metadata field is there', async () => {
    const text = await readPayments();
    for (const { events } of Object.values(processors)) {
      for (const name of Object.keys(events)) expect(text).toContain(`\`${name}\``);
    }
    for (const field of ['svc_customer_key', 'svc_click_id', 'program_id']) expect(text).toContain(`| \`${field}\``);
  });

  it('docs/attribution.md: all reason codes are explained, and no others', async () => {
    const table = (await read('docs/attribution.md')).split('## Why did it end like that?')[1] ?? '';
    const shown = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[a-z_]{3,}/g) ?? []);
    expect(shown.sort()).toEqual(Object.keys(reasons).sort());
  });

  it.each(['docs/attribution.md', 'docs/cli.md'])('%s: every commission type is named', async (path) => {
    const text = await read(path);
    for (const name of COMMISSION_TYPE_NAMES) expect(text).toContain(`\`${name}\``);
  });

  it('docs/operations.md: every operator command and every variable is listed', async () => {
    const text = await read('docs/operations.md');
    const config = await read('packages/server/src/config.ts');
    const variables = [...config.matchAll(/^ {2}([A-Z_]{4,}): /gm)].map(([, name]) => name ?? '');
    expect(variables.length).toBeGreaterThan(8);
    for (const name of [...variables, ...operatorCommands.map((command) => command.name)]) {
      expect(text).toMatch(new RegExp(`\`[^\`]*${name}\\b`));
    }
  });

  it('.env.example: every variable is there, and no other', async () => {
    const config = await read('packages/server/src/config.ts');
    const variables = [...config.matchAll(/^ {2}([A-Z_]{4,}): [a-z]\w*[.\n(]/gm)].map(([, name]) => name);
    const listed = [...(await read('.env.example')).matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...new Set(variables)].sort());
  });
});
