import { resolve } from 'node:path';
import pino from 'pino';
import type { Config } from '../config.ts';
import { openStore } from '../db/open-store.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { OperatorCommand, Report } from './command.ts';
import { type ControlReply, type ControlRequest, holdDataFolder, runThroughSocket } from './control-socket.ts';
import { runCommand } from './run-command.ts';

/** Runs a command through the service when that holds the embedded store, and on the store itself otherwise. */
export async function runOnInstallation(
  config: Config,
  command: OperatorCommand,
  options: Record<string, unknown>,
  report: Report,
  mail: () => Promise<MailQueue | undefined>,
): Promise<ControlReply> {
  const request = { command: command.name, options: withAbsolutePaths(command, options) };
  const run = async () => runOnStore(config, request, report, await mail());
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
  mail: MailQueue | undefined,
): Promise<ControlReply> {
  const log = pino({ level: 'warn' }, pino.destination(2));
  const db = await openStore(config, log);
  const ctx = { db: db.untimed, now: () => new Date(), log, mail };
  return runCommand(ctx, config.baseUrl, request, report).finally(() => db.close());
}

/** The service may run in another folder than the operator. */
function withAbsolutePaths({ options }: OperatorCommand, given: Record<string, unknown>): Record<string, unknown> {
  const names = options.filter(({ isPath }) => isPath).map(({ flags }) => /--([a-z-]+)/.exec(flags)?.[1] ?? '');
  const paths = names.filter((name) => typeof given[name] === 'string');
  return { ...given, ...Object.fromEntries(paths.map((name) => [name, resolve(String(given[name]))])) };
}
