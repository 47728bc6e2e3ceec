import { isIP } from 'node:net';
import { RATE_LIMITS, type RateLimits, REPORT_PATH } from '@svc/contract';
import { z } from 'zod';
import { serverUrls } from './db/engines/postgres/servers.ts';
import { ExpectedError } from './expected-error.ts';
import type { MetricsAccess } from './http/metrics.ts';
import { isMailAddress } from './mail/header-text.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

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

const environment = z.object({
  PORT: port.default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  SVC_BASE_URL: httpUrl.optional(),
  DATABASE_URL: z
    .string()
    .refine((url) => serverUrls(url) !== null, {
      error: 'must be a postgres:// URL; several hosts are separated by commas, with target_session_attrs=read-write',
    })
    .optional(),
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
  SVC_CLICK_RETENTION: z.enum(['drop', 'detach'], { error: 'must be drop or detach' }).default('drop'),
  SVC_DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'must be a whole number of seconds' })
    .transform(Number)
    .default(0),
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
  SVC_SIGNUP: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('open'),
  SVC_OIDC_ISSUER: httpUrl.optional(),
  SVC_OIDC_AUDIENCE: z.string().optional(),
  SVC_SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  SVC_MAIL_FROM: z.string().transform(parseSender).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

export type Config = {
  port: number;
  host: string;
  baseUrl: string;
  databaseUrl: string | undefined;
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
  clickRetention: { months: number; action: 'drop' | 'detach' } | undefined;
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
  /** How long a stopping node keeps serving open connections. */
  drainSeconds: number;
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
  return {
    port: values.PORT,
    host: values.HOST,
    baseUrl: (values.SVC_BASE_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ''),
    databaseUrl: values.DATABASE_URL,
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
    drainSeconds: values.SVC_DRAIN_SECONDS,
    maxPrograms: values.SVC_MAX_PROGRAMS,
    signup: values.SVC_SIGNUP,
    oidc: outsideIssuer(values.SVC_OIDC_ISSUER, values.SVC_OIDC_AUDIENCE),
    mail: mailConfig(values.SVC_SMTP_URL, values.SVC_MAIL_FROM),
    logLevel: values.LOG_LEVEL,
  };
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
