import { resolve } from 'node:path';
import pino from 'pino';
import type { Config } from '../config.ts';
import { createLog } from '../create-log.ts';
import { openStoreDirectly } from '../db/engines/open-store.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { PrivacyContext } from '../privacy/privacy-context.ts';
import type { OperatorCommand, Report } from './command.ts';
import { type ControlReply, type ControlRequest, holdDataFolder, runThroughSocket } from './control-socket.ts';
import { runCommand } from './run-command.ts';

/** What commands need besides the store, opened when it is used. */
export type Installation = {
  mail: () => Promise<MailQueue | undefined>;
  /** What is derived from the secret. */
  secrets: () => Promise<Pick<PrivacyContext, 'emailSecret' | 'encryption'>>;
};

/** Runs a command through the service when that holds the embedded store, and on the store itself otherwise. */
export async function runOnInstallation(
  config: Config,
  command: OperatorCommand,
  options: Record<string, unknown>,
  report: Report,
  installation: Installation,
): Promise<ControlReply> {
  const request = { command: command.name, options: withAbsolutePaths(command, options) };
  const run = () => runOnStore(config, request, report, installation);
  if (config.databaseUrl) return run();
  const remote = await runThroughSocket(config.dataDir, request, report);
  if (remote) return remote;
  const release = await holdDataFolder(config.dataDir, async () => ({
    ok: false,
    text: 'Another operator command is running. Try again in a moment.',
  }));
  return run().finally(release);
}

async function runOnStore(
  config: Config,
  request: ControlRequest,
  report: Report,
  { mail, secrets }: Installation,
): Promise<ControlReply> {
  const queue = await mail();
  const log = createLog({ level: 'warn' }, pino.destination(2));
  const db = await openStoreDirectly(config, log);
  const ctx = { db: db.untimed, now: () => new Date(), log, mail: queue };
  const withSecrets = async () => ({ ...ctx, ...(await secrets()) });
  return runCommand({ ...ctx, withSecrets }, config.baseUrl, request, report).finally(() => db.close());
}

/** The service may run in another folder than the operator. */
function withAbsolutePaths({ options }: OperatorCommand, given: Record<string, unknown>): Record<string, unknown> {
  const names = options.filter(({ isPath }) => isPath).map(({ flags }) => /--([a-z-]+)/.exec(flags)?.[1] ?? '');
  const paths = names.filter((name) => typeof given[name] === 'string');
  return { ...given, ...Object.fromEntries(paths.map((name) => [name, resolve(String(given[name]))])) };
}
