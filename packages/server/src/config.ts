import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { RATE_LIMITS, type RateLimits, REPORT_PATH } from '@svc/contract';
import { z } from 'zod';
import type { Bucket } from './archive/bucket-place.ts';
import { serverUrls } from './db/engines/postgres/servers.ts';
import type { Pooler } from './db/engines/postgres.ts';
import { ExpectedError } from './expected-error.ts';
import type { MetricsAccess } from './http/metrics.ts';
import { isMailAddress } from './mail/header-text.ts';

/** As many as Postgres has connections for with its default settings. */
const MOST_AUTOMATIC_WORKERS = 8;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** A file with the newest release, such as `{"version": "0.4.0"}`. There is no public one yet, so nobody is asked by default. */
const UPDATE_URL: string | undefined = undefined;

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const address = z
  .string()
  .refine(isAddressOrRange, { error: 'must be a comma-separated list of IP addresses or CIDR ranges' });

const dnsServer = z.string().refine(isDnsServer, {
  error: 'must be a comma-separated list of IP addresses, with or without a port',
});

const port = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'must be a port number' })
  .transform(Number)
  .refine((number) => number <= 65_535, { error: 'must be a port number' });

const postgresUrl = z.string().refine((url) => serverUrls(url) !== null, {
  error: 'must be a postgres:// URL; several hosts are separated by commas, with target_session_attrs=read-write',
});

const environment = z.object({
  PORT: port.default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  SVC_BASE_URL: httpUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  SVC_LISTEN_DATABASE_URL: postgresUrl.optional(),
  SVC_REPORTS_DATABASE_URL: z
    .string()
    .refine((url) => serverUrls(url)?.length === 1, { error: 'must be a postgres:// URL with one host' })
    .optional(),
  SVC_PREPARED_STATEMENTS: z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
  SVC_DATA_DIR: z.string().min(1).default('./data'),
  SVC_EMBEDDED_SYNC: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  SVC_SECRET: z.string().min(32, { error: 'must be at least 32 characters' }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' }).optional(),
  SVC_TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').map((item) => item.trim()))
    .pipe(z.array(address))
    .optional(),
  SVC_RATE_LIMITS: z.string().transform(parseRateLimits).optional(),
  SVC_STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_', { error: 'must start with whsec_' }).optional(),
  SVC_CLICK_RETENTION_MONTHS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, { error: 'must be a whole number of months, 1 or more' })
    .transform(Number)
    .optional(),
  SVC_CLICK_RETENTION: z
    .enum(['drop', 'detach', 'archive'], { error: 'must be drop, detach or archive' })
    .default('drop'),
  SVC_ARCHIVE: z.string().min(1).optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_REGION: z.string().default('us-east-1'),
  AWS_ENDPOINT_URL: z.string().optional(),
  SVC_DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'must be a whole number of seconds' })
    .transform(Number)
    .default(0),
  SVC_WORKERS: z.string().transform(parseWorkers).default(1),
  SVC_MAX_PROGRAMS: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: 'must be a whole number, 1 or more' })
    .transform(Number)
    .default(100),
  SVC_GEOIP_DATABASE: z.string().optional(),
  SVC_DECISION_RETENTION_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, { error: 'must be a whole number of days, 1 or more' })
    .transform(Number)
    .default(400),
  SVC_EVENT_CONTENT_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, { error: 'must be a whole number of days, 1 or more' })
    .transform(Number)
    .default(30),
  SVC_OUTBOUND_ALLOW: z
    .string()
    .transform((list) => list.split(',').map((item) => item.trim()))
    .pipe(z.array(address))
    .optional(),
  SVC_DNS_SERVERS: z
    .string()
    .transform((list) => list.split(',').map((item) => item.trim()))
    .pipe(z.array(dnsServer))
    .optional(),
  SVC_FEED_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, { error: 'must be a whole number of days, 1 or more' })
    .transform(Number)
    .default(90),
  SVC_AUDIT_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, { error: 'must be a whole number of days, 1 or more' })
    .transform(Number)
    .optional(),
  SVC_TRACKER_PATH: z
    .string()
    .regex(/^\/(?!(api|app|auth|docs|r)$)[a-z0-9-]{1,40}$/, {
      error:
        'must be a slash and up to 40 lowercase letters, digits and hyphens, and not /api, /app, /auth, /docs or /r',
    })
    .default(REPORT_PATH),
  SVC_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+)$/, { error: 'must be a mailto: or https:// URL' })
    .optional(),
  SVC_METRICS_TOKEN: z.string().min(16, { error: 'must be at least 16 characters' }).optional(),
  SVC_METRICS_PORT: port.optional(),
  SVC_UPDATE_CHECK: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  SVC_UPDATE_URL: httpUrl.optional(),
  SVC_SIGNUP: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('open'),
  SVC_OIDC_ISSUER: httpUrl.optional(),
  SVC_OIDC_AUDIENCE: z.string().optional(),
  SVC_SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  SVC_MAIL_FROM: z.string().transform(parseSender).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

/** A folder, or a bucket with what it takes to use it. */
export type ArchiveConfig = { kind: 'folder'; folder: string } | ({ kind: 'bucket' } & Bucket);

export type Config = {
  port: number;
  host: string;
  baseUrl: string;
  databaseUrl: string | undefined;
  /** Set if that address leads to a pooler in transaction mode. */
  pooler: Pooler | undefined;
  /** A streaming standby that reports are read from. */
  reportsDatabaseUrl: string | undefined;
  dataDir: string;
  /** Whether the embedded store flushes commits to the disk before they are answered. */
  embeddedSync: boolean;
  /** Undefined when a generated one is kept in the data folder. */
  secret: string | undefined;
  redisUrl: string | undefined;
  trustedProxies: string[];
  rateLimits: RateLimits;
  /** The signing secret of a Stripe Connect platform. */
  stripePlatformSecret: string | undefined;
  /** How long individual clicks are kept; forever when undefined. */
  clickRetention: { months: number; action: 'drop' | 'detach' | 'archive' } | undefined;
  /** Where clicks of earlier months are archived. */
  archive: ArchiveConfig | undefined;
  /** A MaxMind DB file with the countries of addresses. */
  geoipDatabase: string | undefined;
  /** How long decisions are kept. */
  decisionDays: number;
  /** How long the contents of finished processor events are kept. */
  eventContentDays: number;
  /** Addresses and networks that outward calls may reach although they are not public. */
  outboundAllow: string[];
  /** Who is asked about DNS records; those that the machine asks when there are none. */
  dnsServers: string[];
  /** Whom to tell about vulnerabilities, as a URL. */
  securityContact: string | undefined;
  /** Where the tracker reports to, besides the paths of the API. */
  reportPath: string;
  /** How long events of the feed are kept. */
  feedDays: number;
  /** How long rows of the audit log are kept; forever when undefined. */
  auditDays: number | undefined;
  metrics: MetricsAccess;
  /** Where to read once a day which release is the newest; undefined when nobody is asked. */
  updateUrl: string | undefined;
  /** How long a stopping node keeps serving open connections. */
  drainSeconds: number;
  /** How many processes serve requests. */
  workers: number;
  /** How many programs a workspace may have. */
  maxPrograms: number;
  signup: 'open' | 'closed';
  /** An external identity provider whose id tokens are accepted too. */
  oidc: { issuer: string; audience: string } | undefined;
  /** Where mail is sent through, and who it is from; undefined when the installation sends none. */
  mail: { smtpUrl: string; from: { name: string; address: string } } | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
};

/** Invalid configuration: one line for each variable. */
export class ConfigError extends ExpectedError {}

/** Reads and checks the configuration. Nothing else reads the environment. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigError(lines.join('\n'));
  }
  const values = parsed.data;
  if (values.DATABASE_URL && !values.SVC_SECRET) {
    throw new ConfigError(
      'SVC_SECRET: required with DATABASE_URL; use the same value on every node, at least 32 characters',
    );
  }
  if ((given.SVC_WORKERS ?? '1') !== '1' && !values.DATABASE_URL) {
    throw new ConfigError('SVC_WORKERS: needs DATABASE_URL; the embedded store works in one process only');
  }
  return {
    port: values.PORT,
    host: values.HOST,
    baseUrl: (values.SVC_BASE_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ''),
    databaseUrl: values.DATABASE_URL,
    pooler: poolerConfig(values),
    reportsDatabaseUrl: reportsUrl(values),
    dataDir: values.SVC_DATA_DIR,
    embeddedSync: values.SVC_EMBEDDED_SYNC === 'on',
    secret: values.SVC_SECRET,
    redisUrl: values.REDIS_URL,
    trustedProxies: values.SVC_TRUSTED_PROXIES ?? [],
    rateLimits: values.SVC_RATE_LIMITS ?? RATE_LIMITS,
    stripePlatformSecret: values.SVC_STRIPE_WEBHOOK_SECRET,
    clickRetention: values.SVC_CLICK_RETENTION_MONTHS
      ? {
          months: values.SVC_CLICK_RETENTION_MONTHS,
          action: values.SVC_CLICK_RETENTION,
        }
      : undefined,
    archive: archiveConfig(values),
    geoipDatabase: values.SVC_GEOIP_DATABASE,
    decisionDays: values.SVC_DECISION_RETENTION_DAYS,
    eventContentDays: values.SVC_EVENT_CONTENT_DAYS,
    outboundAllow: values.SVC_OUTBOUND_ALLOW ?? [],
    dnsServers: values.SVC_DNS_SERVERS ?? [],
    reportPath: values.SVC_TRACKER_PATH,
    securityContact: values.SVC_SECURITY_CONTACT,
    feedDays: values.SVC_FEED_DAYS,
    auditDays: values.SVC_AUDIT_DAYS,
    metrics: metricsAccess(values),
    updateUrl: values.SVC_UPDATE_CHECK === 'on' ? (values.SVC_UPDATE_URL ?? UPDATE_URL) : undefined,
    drainSeconds: values.SVC_DRAIN_SECONDS,
    workers: values.SVC_WORKERS,
    maxPrograms: values.SVC_MAX_PROGRAMS,
    signup: values.SVC_SIGNUP,
    oidc: outsideIssuer(values.SVC_OIDC_ISSUER, values.SVC_OIDC_AUDIENCE),
    mail: mailConfig(values.SVC_SMTP_URL, values.SVC_MAIL_FROM),
    logLevel: values.LOG_LEVEL,
  };
}

type ArchiveValues = {
  SVC_CLICK_RETENTION: string;
  SVC_ARCHIVE?: string | undefined;
  AWS_ACCESS_KEY_ID?: string | undefined;
  AWS_SECRET_ACCESS_KEY?: string | undefined;
  AWS_REGION: string;
  AWS_ENDPOINT_URL?: string | undefined;
};

/** `/var/lib/svc/archive`, or `s3://bucket/prefix` with the variables that other tools read too. */
function archiveConfig(values: ArchiveValues): Config['archive'] {
  const { SVC_ARCHIVE: place, AWS_REGION: region } = values;
  if (place === undefined) {
    if (values.SVC_CLICK_RETENTION !== 'archive') return undefined;
    throw new ConfigError('SVC_ARCHIVE: required with SVC_CLICK_RETENTION=archive; a folder, or s3://bucket/prefix');
  }
  const [, name, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*?))?\/*$/.exec(place) ?? [];
  if (name === undefined) {
    if (place.includes('://')) throw new ConfigError('SVC_ARCHIVE: must be a folder, or s3://bucket/prefix');
    return { kind: 'folder', folder: place };
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: required with a bucket in SVC_ARCHIVE');
  }
  const endpoint = (values.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw new ConfigError('AWS_ENDPOINT_URL: must be an http:// or https:// URL');
  }
  return { kind: 'bucket', endpoint, name, prefix, region, accessKeyId, secretAccessKey };
}

/** `auto` is a worker for each core. */
function parseWorkers(text: string, check: z.RefinementCtx): number {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_AUTOMATIC_WORKERS);
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  check.addIssue('must be auto or a whole number from 1 to 99');
  return z.NEVER;
}

type PoolerValues = Pick<
  z.infer<typeof environment>,
  'DATABASE_URL' | 'SVC_LISTEN_DATABASE_URL' | 'SVC_PREPARED_STATEMENTS'
>;

function poolerConfig(values: PoolerValues): Config['pooler'] {
  const { DATABASE_URL, SVC_LISTEN_DATABASE_URL: directUrl, SVC_PREPARED_STATEMENTS: prepared } = values;
  if (directUrl && !DATABASE_URL) throw new ConfigError('DATABASE_URL: required with SVC_LISTEN_DATABASE_URL');
  if (directUrl) return { directUrl, keepsPrepared: prepared === 'on' };
  if (prepared) throw new ConfigError('SVC_LISTEN_DATABASE_URL: required with SVC_PREPARED_STATEMENTS');
  return undefined;
}

function reportsUrl({ DATABASE_URL, SVC_REPORTS_DATABASE_URL: url }: z.infer<typeof environment>): string | undefined {
  if (url && !DATABASE_URL) throw new ConfigError('DATABASE_URL: required with SVC_REPORTS_DATABASE_URL');
  return url;
}

function mailConfig(
  smtpUrl: string | undefined,
  from: NonNullable<Config['mail']>['from'] | undefined,
): Config['mail'] {
  if (smtpUrl && from) return { smtpUrl, from };
  if (smtpUrl) throw new ConfigError('SVC_MAIL_FROM: required with SVC_SMTP_URL');
  if (from) throw new ConfigError('SVC_SMTP_URL: required with SVC_MAIL_FROM');
  return undefined;
}

/** `partners@example.com` or `Example Partners <partners@example.com>`. */
function parseSender(text: string, check: z.RefinementCtx): { name: string; address: string } {
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (bracketed ?? text).trim();
  if (!isMailAddress(address) || /\p{Cc}/u.test(text)) {
    check.addIssue('must be an email address, such as partners@example.com or Example <partners@example.com>');
    return z.NEVER;
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || address, address };
}

function outsideIssuer(issuer: string | undefined, audience: string | undefined): Config['oidc'] {
  if (issuer && audience) return { issuer, audience };
  if (issuer) throw new ConfigError('SVC_OIDC_AUDIENCE: required with SVC_OIDC_ISSUER');
  if (audience) throw new ConfigError('SVC_OIDC_ISSUER: required with SVC_OIDC_AUDIENCE');
  return undefined;
}

type MetricsValues = {
  HOST: string;
  PORT: number;
  SVC_BASE_URL?: string | undefined;
  SVC_TRUSTED_PROXIES?: string[] | undefined;
  SVC_METRICS_TOKEN?: string | undefined;
  SVC_METRICS_PORT?: number | undefined;
};

function metricsAccess(values: MetricsValues): MetricsAccess {
  const { PORT, SVC_METRICS_TOKEN: token, SVC_METRICS_PORT: port } = values;
  if (port === PORT && port !== 0) throw new ConfigError('SVC_METRICS_PORT: must differ from PORT');
  return { isOpen: isOnlyLocal(values) && !token && port === undefined, token, port };
}

/** Whether only this machine can reach the service. A proxy on the same machine passes on requests of others. */
function isOnlyLocal({ HOST, SVC_BASE_URL = '', SVC_TRUSTED_PROXIES = [] }: MetricsValues): boolean {
  return isLoopback(HOST) && SVC_TRUSTED_PROXIES.length === 0 && !SVC_BASE_URL.startsWith('https:');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const isRange = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return bits > 0 && isRange && more.length === 0;
}

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`. */
function isDnsServer(text: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(bracketed ?? plain ?? text) > 0 && Number(port) <= 65_535;
}

function parseRateLimits(text: string, check: z.RefinementCtx): RateLimits {
  const limits: RateLimits = { ...RATE_LIMITS };
  for (const part of text.split(',')) {
    const [, bucket = '', count = ''] = /^([a-z]+)=([1-9]\d{0,8})$/.exec(part.trim()) ?? [];
    if (!Object.hasOwn(limits, bucket)) {
      check.addIssue(
        `must look like click=60,lead=30,sale=120,readiness=30,cli=60,manage=600,webhook=3000, but contains "${part.trim()}"`,
      );
      return z.NEVER;
    }
    limits[bucket as keyof RateLimits] = Number(count);
  }
  return limits;
}
