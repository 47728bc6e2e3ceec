import { availableParallelism } from 'node:os';
import { RATE_LIMITS } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { type Config, ConfigError, readConfig } from './config.ts';

const SECRET = '0123456789abcdef0123456789abcdef';

/** The message of the configuration error, or undefined if the environment is valid. */
function errorFor(env: Record<string, string>): string | undefined {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
}

describe('defaults', () => {
  const defaults: Config = {
    port: 4000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:4000',
    databaseUrl: undefined,
    pooler: undefined,
    reportsDatabaseUrl: undefined,
    dataDir: './data',
    embeddedSync: true,
    secret: undefined,
    redisUrl: undefined,
    trustedProxies: [],
    rateLimits: { click: 60, lead: 30, sale: 120, readiness: 30, feed: 120, cli: 60, manage: 600, webhook: 3_000 },
    stripePlatformSecret: undefined,
    clickRetention: undefined,
    archive: undefined,
    geoipDatabase: undefined,
    decisionDays: 400,
    eventContentDays: 30,
    outboundAllow: [],
    dnsServers: [],
    reportPath: '/svc',
    securityContact: undefined,
    feedDays: 90,
    auditDays: undefined,
    metrics: { isOpen: true, token: undefined, port: undefined },
    updateUrl: undefined,
    drainSeconds: 0,
    workers: 1,
    maxPrograms: 100,
    signup: 'open',
    oidc: undefined,
    mail: undefined,
    logLevel: 'info',
  };

  it('apply to an empty environment', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  it('apply to variables that are empty', () => {
    const names = ['PORT', 'HOST', 'SVC_BASE_URL', 'DATABASE_URL', 'SVC_DATA_DIR', 'SVC_SECRET', 'REDIS_URL'];
    const more = [
      'SVC_TRUSTED_PROXIES',
      'SVC_RATE_LIMITS',
      'LOG_LEVEL',
      'SVC_STRIPE_WEBHOOK_SECRET',
      'SVC_DRAIN_SECONDS',
    ];
    const signIn = ['SVC_SIGNUP', 'SVC_OIDC_ISSUER', 'SVC_OIDC_AUDIENCE'];
    expect(readConfig(Object.fromEntries([...names, ...more, ...signIn].map((name) => [name, ''])))).toEqual(defaults);
  });

  it('are not changed by unrelated variables', () => {
    expect(readConfig({ PATH: '/bin', NODE_ENV: 'production', PGHOST: 'elsewhere' })).toEqual(defaults);
  });
});

describe('valid values', () => {
  it.each<[string, string, Partial<Config>]>([
    ['PORT', '8080', { port: 8080, baseUrl: 'http://localhost:8080' }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::', { host: '::' }],
    ['SVC_BASE_URL', 'https://track.acme.test', { baseUrl: 'https://track.acme.test', port: 4000 }],
    ['SVC_BASE_URL', 'http://track.acme.test:8080/', { baseUrl: 'http://track.acme.test:8080' }],
    ['SVC_BASE_URL', 'https://acme.test/tracking//', { baseUrl: 'https://acme.test/tracking' }],
    ['SVC_DATA_DIR', '/var/lib/svc', { dataDir: '/var/lib/svc' }],
    ['SVC_EMBEDDED_SYNC', 'off', { embeddedSync: false }],
    ['SVC_EMBEDDED_SYNC', 'on', { embeddedSync: true }],
    ['SVC_SECRET', SECRET, { secret: SECRET }],
    ['SVC_STRIPE_WEBHOOK_SECRET', 'whsec_x', { stripePlatformSecret: 'whsec_x' }],
    ['REDIS_URL', 'redis://:pw@cache:6379/2', { redisUrl: 'redis://:pw@cache:6379/2' }],
    ['REDIS_URL', 'rediss://cache:6380', { redisUrl: 'rediss://cache:6380' }],
    ['SVC_TRUSTED_PROXIES', '10.0.0.1', { trustedProxies: ['10.0.0.1'] }],
    [
      'SVC_TRUSTED_PROXIES',
      '10.0.0.1, 192.168.0.0/16 ,2001:db8::/32,::1',
      { trustedProxies: ['10.0.0.1', '192.168.0.0/16', '2001:db8::/32', '::1'] },
    ],
    ['SVC_RATE_LIMITS', 'click=5', { rateLimits: { ...RATE_LIMITS, click: 5 } }],
    [
      'SVC_RATE_LIMITS',
      'click=1,lead=2, sale=3 ,readiness=4,cli=999999999,manage=5,webhook=6',
      { rateLimits: { click: 1, lead: 2, sale: 3, readiness: 4, feed: 120, cli: 999_999_999, manage: 5, webhook: 6 } },
    ],
    ['SVC_DRAIN_SECONDS', '10', { drainSeconds: 10 }],
    ['SVC_CLICK_RETENTION_MONTHS', '13', { clickRetention: { months: 13, action: 'drop' } }],
    ['SVC_DECISION_RETENTION_DAYS', '90', { decisionDays: 90 }],
    ['SVC_EVENT_CONTENT_DAYS', '7', { eventContentDays: 7 }],
    ['SVC_FEED_DAYS', '30', { feedDays: 30 }],
    ['SVC_OUTBOUND_ALLOW', '10.0.0.0/8, ::1', { outboundAllow: ['10.0.0.0/8', '::1'] }],
    ['SVC_SECURITY_CONTACT', 'mailto:security@acme.test', { securityContact: 'mailto:security@acme.test' }],
    ['SVC_TRACKER_PATH', '/q9', { reportPath: '/q9' }],
    ['SVC_DNS_SERVERS', '192.0.2.1, 127.0.0.1:5353', { dnsServers: ['192.0.2.1', '127.0.0.1:5353'] }],
    ['SVC_DNS_SERVERS', '2001:db8::1,[::1]:53', { dnsServers: ['2001:db8::1', '[::1]:53'] }],
    ['SVC_AUDIT_DAYS', '730', { auditDays: 730 }],
    ['SVC_UPDATE_URL', 'https://acme.test/latest.json', { updateUrl: 'https://acme.test/latest.json' }],
    ['HOST', '0.0.0.0', { metrics: { isOpen: false, token: undefined, port: undefined } }],
    ['HOST', '::', { metrics: { isOpen: false, token: undefined, port: undefined } }],
    ['HOST', '::1', { metrics: { isOpen: true, token: undefined, port: undefined } }],
    ['HOST', 'localhost', { metrics: { isOpen: true, token: undefined, port: undefined } }],
    ['SVC_TRUSTED_PROXIES', '127.0.0.1', { metrics: { isOpen: false, token: undefined, port: undefined } }],
    ['SVC_BASE_URL', 'https://acme.test', { metrics: { isOpen: false, token: undefined, port: undefined } }],
    ['SVC_BASE_URL', 'http://acme.test', { metrics: { isOpen: true, token: undefined, port: undefined } }],
    ['SVC_METRICS_TOKEN', SECRET, { metrics: { isOpen: false, token: SECRET, port: undefined } }],
    ['SVC_METRICS_PORT', '9100', { metrics: { isOpen: false, token: undefined, port: 9100 } }],
    ['SVC_CLICK_RETENTION', 'detach', { clickRetention: undefined }],
    ['SVC_ARCHIVE', '/srv/archive', { archive: { kind: 'folder', folder: '/srv/archive' } }],
    ['SVC_SIGNUP', 'open', { signup: 'open' }],
    ['SVC_SIGNUP', 'closed', { signup: 'closed' }],
    ...['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map(
      (level) => ['LOG_LEVEL', level, { logLevel: level }] as [string, string, Partial<Config>],
    ),
  ])('%s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  it.each(['postgres://svc:pw@db:5432/svc', 'postgresql:///svc?host=/run/postgresql'])('DATABASE_URL=%s', (url) => {
    expect(readConfig({ DATABASE_URL: url, SVC_SECRET: SECRET })).toMatchObject({ databaseUrl: url, secret: SECRET });
  });

  it('do not change the limits of a later call', () => {
    readConfig({ SVC_RATE_LIMITS: 'click=1' });
    expect(readConfig({}).rateLimits.click).toBe(60);
  });
});

describe('an invalid value is an error that names the variable and the cause', () => {
  it.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', ' '],
    ['SVC_BASE_URL', 'track.acme.test'],
    ['SVC_BASE_URL', 'ftp://track.acme.test'],
    ['DATABASE_URL', 'mysql://db/svc'],
    ['DATABASE_URL', 'db:5432'],
    ['SVC_LISTEN_DATABASE_URL', 'db:5432'],
    ['SVC_PREPARED_STATEMENTS', 'yes'],
    ['SVC_REPORTS_DATABASE_URL', 'db:5432'],
    ['SVC_REPORTS_DATABASE_URL', 'postgres://a,b/svc'],
    ['SVC_SECRET', 'too short'],
    ['SVC_SECRET', SECRET.slice(1)],
    ['SVC_METRICS_TOKEN', 'too short'],
    ['SVC_METRICS_PORT', 'http'],
    ['SVC_METRICS_PORT', '4000'],
    ['SVC_DECISION_RETENTION_DAYS', '0'],
    ['SVC_EVENT_CONTENT_DAYS', '0'],
    ['SVC_FEED_DAYS', '0'],
    ['SVC_OUTBOUND_ALLOW', 'localhost'],
    ['SVC_OUTBOUND_ALLOW', '10.0.0.0/33'],
    ['SVC_SECURITY_CONTACT', 'security@acme.test'],
    ['SVC_SECURITY_CONTACT', 'https://acme.test/\nExpires: x'],
    ['SVC_TRACKER_PATH', 'q9'],
    ['SVC_TRACKER_PATH', '/q9/'],
    ['SVC_TRACKER_PATH', '/api'],
    ['SVC_DNS_SERVERS', 'dns.example'],
    ['SVC_DNS_SERVERS', '192.0.2.1:dns'],
    ['SVC_DNS_SERVERS', '192.0.2.1:99999'],
    ['SVC_AUDIT_DAYS', '0'],
    ['SVC_UPDATE_CHECK', 'daily'],
    ['SVC_UPDATE_URL', 'latest.json'],
    ['SVC_DECISION_RETENTION_DAYS', 'never'],
    ['SVC_DRAIN_SECONDS', '-1'],
    ['SVC_DRAIN_SECONDS', 'soon'],
    ['SVC_WORKERS', '0'],
    ['SVC_WORKERS', 'all'],
    ['SVC_WORKERS', '100'],
    ['SVC_CLICK_RETENTION_MONTHS', '0'],
    ['SVC_CLICK_RETENTION_MONTHS', '1.5'],
    ['SVC_CLICK_RETENTION', 'keep'],
    ['SVC_ARCHIVE', 'https://bucket.example'],
    ['REDIS_URL', 'http://cache:6379'],
    ['REDIS_URL', 'cache'],
    ['SVC_TRUSTED_PROXIES', 'loadbalancer.internal'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.1;10.0.0.2'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.1,'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.256'],
    ['SVC_TRUSTED_PROXIES', '10.0.0'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SVC_TRUSTED_PROXIES', '2001:db8::/129'],
    ['SVC_TRUSTED_PROXIES', '::::'],
    ['SVC_RATE_LIMITS', 'click'],
    ['SVC_RATE_LIMITS', 'click=0'],
    ['SVC_RATE_LIMITS', 'click=-5'],
    ['SVC_RATE_LIMITS', 'click=1.5'],
    ['SVC_RATE_LIMITS', 'click=many'],
    ['SVC_RATE_LIMITS', 'click=60=5'],
    ['SVC_RATE_LIMITS', 'clicks=60'],
    ['SVC_RATE_LIMITS', 'toString=60'],
    ['SVC_RATE_LIMITS', 'click=60;lead=30'],
    ['LOG_LEVEL', 'loud'],
    ['SVC_SIGNUP', 'Closed'],
    ['SVC_SIGNUP', 'false'],
    ['SVC_OIDC_ISSUER', 'accounts.example'],
    ['SVC_STRIPE_WEBHOOK_SECRET', 'sk_live_x'],
    ['SVC_SMTP_URL', 'mail.example:587'],
    ['SVC_SMTP_URL', 'http://mail.example'],
    ['SVC_MAIL_FROM', 'partners'],
    ['SVC_MAIL_FROM', 'a@example.com, b@example.com'],
    ['SVC_MAIL_FROM', 'Example <a@example.com> <b@example.com>'],
    ['SVC_MAIL_FROM', 'Example\r\nBcc: x <a@example.com>'],
  ])('%s=%s', (name, value) => {
    const message = errorFor({ SVC_SECRET: SECRET, [name]: value });
    expect(message).toMatch(new RegExp(`^${name}: \\S.{5,}$`));
  });

  it('with one line for each variable if several are invalid', () => {
    const lines = errorFor({ PORT: 'x', LOG_LEVEL: 'x', SVC_RATE_LIMITS: 'x' })?.split('\n');
    expect(lines?.map((line) => line.split(':')[0]).sort()).toEqual(['LOG_LEVEL', 'PORT', 'SVC_RATE_LIMITS']);
  });

  it('without the secret or the password in a URL', () => {
    const message = errorFor({
      SVC_SECRET: 'my-little-secret',
      DATABASE_URL: 'mysql://svc:my-password@db/svc',
      REDIS_URL: 'http://:my-password@cache',
    });
    expect(message).not.toMatch(/my-little-secret|my-password/);
  });
});

describe('SVC_WORKERS', () => {
  const onPostgres = { DATABASE_URL: 'postgres://db/svc', SVC_SECRET: SECRET };

  it('is a number of processes, or one for each core and at most eight', () => {
    expect(readConfig({ ...onPostgres, SVC_WORKERS: '3' }).workers).toBe(3);
    expect(readConfig({ ...onPostgres, SVC_WORKERS: 'auto' }).workers).toBe(Math.min(availableParallelism(), 8));
  });

  it('can only be 1 with the embedded store', () => {
    expect(readConfig({ SVC_WORKERS: '1' }).workers).toBe(1);
    const refusal = 'SVC_WORKERS: needs DATABASE_URL; the embedded store works in one process only';
    expect(errorFor({ SVC_WORKERS: '2' })).toBe(refusal);
    expect(errorFor({ SVC_WORKERS: 'auto' })).toBe(refusal);
  });
});

describe('SVC_SECRET', () => {
  it('is required with DATABASE_URL', () => {
    expect(errorFor({ DATABASE_URL: 'postgres://db/svc' })).toMatch(/^SVC_SECRET: required with DATABASE_URL/);
    expect(errorFor({ DATABASE_URL: 'postgres://db/svc', SVC_SECRET: '' })).toMatch(/^SVC_SECRET: required/);
  });

  it('is not required without DATABASE_URL, because one is generated in the data folder', () => {
    expect(errorFor({ SVC_DATA_DIR: './elsewhere' })).toBeUndefined();
  });
});

describe('SVC_LISTEN_DATABASE_URL', () => {
  const onPostgres = { SVC_SECRET: SECRET, DATABASE_URL: 'postgres://pooler:6432/svc' };
  const directUrl = 'postgres://db:5432/svc';

  it('says that the other address leads to a pooler, which keeps prepared statements only where an operator says so', () => {
    const poolerOf = (env: Record<string, string>) =>
      readConfig({ ...onPostgres, SVC_LISTEN_DATABASE_URL: directUrl, ...env }).pooler;
    expect(poolerOf({})).toEqual({ directUrl, keepsPrepared: false });
    expect(poolerOf({ SVC_PREPARED_STATEMENTS: 'off' })).toEqual({ directUrl, keepsPrepared: false });
    expect(poolerOf({ SVC_PREPARED_STATEMENTS: 'on' })).toEqual({ directUrl, keepsPrepared: true });
  });

  it('is used together with DATABASE_URL, and SVC_PREPARED_STATEMENTS together with it', () => {
    expect(errorFor({ SVC_LISTEN_DATABASE_URL: directUrl })).toBe(
      'DATABASE_URL: required with SVC_LISTEN_DATABASE_URL',
    );
    expect(errorFor({ ...onPostgres, SVC_PREPARED_STATEMENTS: 'on' })).toBe(
      'SVC_LISTEN_DATABASE_URL: required with SVC_PREPARED_STATEMENTS',
    );
  });
});

it('SVC_REPORTS_DATABASE_URL is used together with DATABASE_URL', () => {
  const url = 'postgres://replica:5432/svc';
  expect(errorFor({ SVC_REPORTS_DATABASE_URL: url })).toBe('DATABASE_URL: required with SVC_REPORTS_DATABASE_URL');
  const config = readConfig({ SVC_SECRET: SECRET, DATABASE_URL: 'postgres://db/svc', SVC_REPORTS_DATABASE_URL: url });
  expect(config.reportsDatabaseUrl).toBe(url);
});

describe('SVC_OIDC_ISSUER and SVC_OIDC_AUDIENCE', () => {
  const issuer = 'https://accounts.example';

  it('configure an external identity provider together', () => {
    const { oidc } = readConfig({ SVC_OIDC_ISSUER: issuer, SVC_OIDC_AUDIENCE: 'svc' });
    expect(oidc).toEqual({ issuer, audience: 'svc' });
  });

  it('require each other', () => {
    expect(errorFor({ SVC_OIDC_ISSUER: issuer })).toMatch(/^SVC_OIDC_AUDIENCE: required/);
    expect(errorFor({ SVC_OIDC_AUDIENCE: 'svc' })).toMatch(/^SVC_OIDC_ISSUER: required/);
  });
});

describe('SVC_ARCHIVE', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const bucket = { kind: 'bucket', accessKeyId: 'id', secretAccessKey: 'secret' };

  it('is a folder, or a bucket with the variables that other tools read too', () => {
    expect(readConfig({ SVC_ARCHIVE: 's3://brand', ...keys }).archive).toEqual({
      ...bucket,
      ...{ name: 'brand', prefix: '', region: 'us-east-1', endpoint: 'https://s3.us-east-1.amazonaws.com' },
    });
    const other = { AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: 'http://minio:9000/' };
    expect(readConfig({ SVC_ARCHIVE: 's3://brand/svc/clicks/', ...keys, ...other }).archive).toEqual({
      ...bucket,
      ...{ name: 'brand', prefix: 'svc/clicks', region: 'eu-central-1', endpoint: 'http://minio:9000' },
    });
  });

  it('is required where clicks are archived, and needs its keys', () => {
    expect(errorFor({ SVC_CLICK_RETENTION: 'archive' })).toMatch(
      /^SVC_ARCHIVE: required with SVC_CLICK_RETENTION=archive/,
    );
    expect(errorFor({ SVC_ARCHIVE: 's3://brand' })).toMatch(/^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: required/);
    expect(errorFor({ SVC_ARCHIVE: 's3://brand', ...keys, AWS_ENDPOINT_URL: 'minio:9000' })).toMatch(
      /^AWS_ENDPOINT_URL:/,
    );
  });
});

describe('SVC_SMTP_URL and SVC_MAIL_FROM', () => {
  const smtpUrl = 'smtps://user:secret@mail.example:465';

  it.each([
    ['partners@example.com', { name: 'partners@example.com', address: 'partners@example.com' }],
    ['Example Partners <partners@example.com>', { name: 'Example Partners', address: 'partners@example.com' }],
    ['"Example, Inc." <partners@example.com>', { name: 'Example, Inc.', address: 'partners@example.com' }],
  ])('configure mail together: %s', (sender, from) => {
    expect(readConfig({ SVC_SMTP_URL: smtpUrl, SVC_MAIL_FROM: sender }).mail).toEqual({ smtpUrl, from });
  });

  it('require each other', () => {
    expect(errorFor({ SVC_SMTP_URL: smtpUrl })).toMatch(/^SVC_MAIL_FROM: required/);
    expect(errorFor({ SVC_MAIL_FROM: 'partners@example.com' })).toMatch(/^SVC_SMTP_URL: required/);
  });
});

it('asks nobody about newer releases when that is off', () => {
  const url = 'https://acme.test/latest.json';
  expect(readConfig({ SVC_UPDATE_URL: url, SVC_UPDATE_CHECK: 'off' }).updateUrl).toBeUndefined();
});
