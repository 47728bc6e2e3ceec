import { randomBytes } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { insertWorkspace } from '../../server/src/accounts/workspaces/workspace-store.ts';
import { createService, type Service, type ServiceOptions } from '../../server/src/app.ts';
import { OPERATOR } from '../../server/src/audit/audit-store.ts';
import { readConfig } from '../../server/src/config.ts';
import { addMember } from '../../server/src/partners/add-partner.ts';
import { insertLink } from '../../server/src/partners/links/link-store.ts';
import { createProgram } from '../../server/src/programs/create-program.ts';
import type { Program } from '../../server/src/programs/program.ts';
import { countRows } from '../src/index.ts';
import { sharedDns } from './dns.ts';
import { expectResultsToAgree } from './stores/results.ts';
import { takeStore } from './stores/spare-stores.ts';
import { addressOf } from './stores/store.ts';

export type Answer = {
  status: number;
  headers: Record<string, string | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whole bodies of many shapes
  body: any;
  text: string;
};

export type CallOptions = {
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
  /** The address of the caller. */
  ip?: string;
};

export type TestProgram = {
  program: Program;
  apiKey: string;
  partnerId: number;
  /** The `aff` value of the partner's link. */
  link: string;
  workspaceId: number;
};

const CHANGES_COUNTS = /\b(insert into|update|delete from) (customers|sales|commissions)\b/;

const GENEROUS =
  'click=1000000,lead=1000000,sale=1000000,readiness=1000000,feed=1000000,cli=1000000,manage=1000000,webhook=1000000';

/** The secret of the installations that tests open. */
export const TEST_SECRET = 'a secret for tests, long enough to pass';

/** The secret with which a Connect platform signs its events. */
export const PLATFORM_SECRET = 'whsec_the_secret_of_the_platform';

/** A service with its own empty store for one test file. Its clock moves only when a test, or a helper of several events, says so. */
export class TestService {
  service!: Service;
  time = new Date('2026-03-10T12:00:00.000Z');
  readonly logLines: string[] = [];

  async open(env: Record<string, string> = {}, options: ServiceOptions = {}): Promise<void> {
    const hasOwnStore = env.DATABASE_URL !== undefined || env.SVC_DATA_DIR !== undefined || options.db !== undefined;
    const store = hasOwnStore ? undefined : await takeStore();
    const config = readConfig({
      SVC_SECRET: TEST_SECRET,
      SVC_RATE_LIMITS: GENEROUS,
      SVC_BASE_URL: 'https://track.test',
      SVC_STRIPE_WEBHOOK_SECRET: PLATFORM_SECRET,
      SVC_DNS_SERVERS: (await sharedDns()).address,
      ...(store?.url ? { DATABASE_URL: store.url } : { SVC_DATA_DIR: 'memory://' }),
      ...env,
      ...(env.DATABASE_URL && !env.SVC_LISTEN_DATABASE_URL && addressOf(env.DATABASE_URL)),
    });
    const logTo = { write: (line: string) => void this.logLines.push(line) };
    this.service = await createService(config, {
      ...(store && { db: store.db }),
      now: () => new Date(this.time),
      logTo,
      runJobs: false,
      // Tests share a machine, and not all that is slow is a store that hangs.
      redirectMs: 20_000,
      ...options,
    });
  }

  get ctx() {
    return this.service.ctx;
  }

  advance({ days = 0, seconds = 0 }: { days?: number; seconds?: number }): void {
    this.time = new Date(this.time.getTime() + (days * 86_400 + seconds) * 1000);
  }

  async call(method: string, path: string, { body, key, headers = {}, ip }: CallOptions = {}): Promise<Answer> {
    const response = await this.service.http.inject({
      method: method as InjectOptions['method'] & string,
      url: path,
      ...(body !== undefined && { payload: body as InjectOptions['payload'] }),
      ...(ip && { remoteAddress: ip }),
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    });
    const isJson = String(response.headers['content-type'] ?? '').includes('json');
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      body: isJson ? response.json() : undefined,
      text: response.body,
    };
  }

  click = (body: object, options: CallOptions = {}) => this.call('POST', '/api/v1/track/click', { body, ...options });
  lead = (body: object, options: CallOptions = {}) => this.call('POST', '/api/v1/track/lead', { body, ...options });
  sale = (body: object, options: CallOptions = {}) => this.call('POST', '/api/v1/track/sale', { body, ...options });
  refund = (body: object, options: CallOptions = {}) => this.call('POST', '/api/v1/track/refund', { body, ...options });
  readiness = (key: string) => this.call('GET', '/api/v1/programs/me/readiness', { key });

  /** A program in a new workspace (or in `workspaceId`), with a partner and a link. */
  async program(settings: Partial<Program> = {}): Promise<TestProgram> {
    const { ctx } = this;
    const workspaceId = settings.workspaceId ?? (await insertWorkspace(ctx.db, 'Acme', ctx.now()));
    const chosen = {
      workspaceId,
      name: 'Acme',
      domain: 'acme.test',
      commissionType: settings.commissionType ?? 'percent',
      commissionRate: settings.commissionRate ?? '20',
      currency: settings.currency,
      recurringMonths: settings.recurringMonths,
      allowedOrigins: settings.allowedOrigins,
      linkParameters: settings.linkParameters,
      cookieWindowDays: settings.cookieWindowDays,
      attributionWindowDays: settings.attributionWindowDays,
      leadAuth: settings.leadAuth,
      commissionBase: settings.commissionBase,
      holdDays: settings.holdDays,
      joining: settings.joining,
      couponsWin: settings.couponsWin,
    };
    const { program, apiKey } = await createProgram(ctx, chosen, OPERATOR);
    const { partnerId, link } = await this.partner(program);
    return { program, apiKey, workspaceId, partnerId, link };
  }

  /** Another partner of the program, with a link. */
  async partner(program: Program): Promise<{ partnerId: number; link: string }> {
    const { ctx } = this;
    const link = `link-${randomBytes(5).toString('hex')}`;
    const partner = { name: 'Jane', email: `${link}@partner.test`, programId: program.id };
    const { id: partnerId } = await ctx.db.transaction((tx) =>
      addMember(tx, ctx, { ...partner, workspaceId: program.workspaceId }),
    );
    await insertLink(ctx.db, { programId: program.id, partnerId, shortLink: link, destinationUrl: null }, ctx.now());
    return { partnerId, link };
  }

  /** Follows the link and returns the click id. */
  async clickId(link: string, extra: object = {}): Promise<string> {
    const { body } = await this.click({ affiliate_url: `https://acme.test/?aff=${link}`, ...extra });
    return body.click_id;
  }

  /** Creates a customer who clicked the link and signed up as `customerKey` a second later, and returns the click id. */
  async customer({ link, apiKey }: TestProgram, customerKey: string): Promise<string> {
    const clickId = await this.clickId(link);
    this.advance({ seconds: 1 });
    await this.lead({ click_id: clickId, customer_key: customerKey }, { key: apiKey });
    return clickId;
  }

  /** Runs a statement as it is. What it changes by hand in rows that count is counted too, as verbs would do. */
  async sql<Row = Record<string, unknown>>(text: string, params: unknown[] = []): Promise<Row[]> {
    const { db } = this.ctx;
    if (!CHANGES_COUNTS.test(text)) return db.query<Row>(text, params);
    // Up to here, the service itself has to have counted everything.
    await expectResultsToAgree(db);
    const rows = await db.query<Row>(text, params);
    await countRows(db);
    return rows;
  }

  /** The number of the program's rows in each tracking table, which a refused request must not change. */
  async counts(programId: number): Promise<Record<string, number>> {
    const tables = ['customers', 'clicks', 'sales', 'commissions', 'refunds', 'decisions'];
    const counts = tables.map((table) => `(select count(*) from ${table} where program_id = $1) as ${table}`);
    const [row] = await this.sql<Record<string, number>>(`select ${counts.join(', ')}`, [programId]);
    return row ?? {};
  }
}

/** Opens a service for the tests of a file and closes it after them. */
export function useService(env?: Record<string, string>, options?: ServiceOptions): TestService {
  const service = new TestService();
  beforeAll(() => service.open(env, options));
  afterAll(async () => {
    // No test may have made the rollups differ from the rows.
    if (service.service) await expectResultsToAgree(service.ctx.db).finally(() => service.service.close());
  });
  return service;
}

/** An error in the platform envelope. */
export function platformError(status: number, name: string, message: string, details: object = {}) {
  return { data: null, error: { status, name, message, details } };
}
