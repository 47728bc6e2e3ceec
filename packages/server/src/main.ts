#!/usr/bin/env node
import { resolve } from 'node:path';
import { Command } from 'commander';
import pino from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { openStore } from './db/open-store.ts';
import type { CommandOption } from './operator/command.ts';
import {
  type ControlReply,
  type ControlRequest,
  DataFolderInUse,
  holdDataFolder,
  runThroughSocket,
} from './operator/control-socket.ts';
import { operatorCommands, runCommand } from './operator/run-command.ts';

const program = new Command('svc-server').description('The attribution service and what its operator can do with it.');

program
  .command('serve', { isDefault: true })
  .description('run the service')
  .action(() =>
    orExit(async () => {
      const config = readConfig(process.env);
      // Loaded when it is needed: the operator's commands use a fraction of it.
      const { serve } = await import('./serve.ts');
      await serve(config);
    }),
  );

for (const { name, description, options } of operatorCommands) {
  const command = program.command(name).description(description);
  for (const option of options) {
    if (option.required) command.requiredOption(option.flags, option.description);
    else command.option(option.flags, option.description, option.default);
  }
  command.option('--json', 'print data instead of words');
  command.action(({ json, ...given }) =>
    orExit(async () => {
      const reply = await runOnInstallation(readConfig(process.env), {
        command: name,
        options: absolute(options, given),
      });
      if (!reply.ok) throw new ConfigError(reply.text);
      process.stdout.write(`${json ? JSON.stringify(reply.data, null, 2) : reply.text}\n`);
    }),
  );
}

await program.parseAsync();

/** The service may stand in another folder than the operator who names a file. */
function absolute(options: CommandOption[], given: Record<string, unknown>): Record<string, unknown> {
  const paths = options.filter(({ isPath }) => isPath).map(({ flags }) => /--([a-z-]+)/.exec(flags)?.[1] ?? '');
  const named = paths.filter((name) => typeof given[name] === 'string');
  return { ...given, ...Object.fromEntries(named.map((name) => [name, resolve(String(given[name]))])) };
}

/** Through the running service where it holds the embedded store, otherwise on the store itself. */
async function runOnInstallation(config: Config, request: ControlRequest): Promise<ControlReply> {
  if (config.databaseUrl) return runOnStore(config, request);
  const remote = await runThroughSocket(config.dataDir, request);
  if (remote) return remote;
  const letGo = await holdDataFolder(config.dataDir, async () => ({
    ok: false,
    text: 'Another operator command is running. Try again in a moment.',
  }));
  return runOnStore(config, request).finally(letGo);
}

async function runOnStore(config: Config, request: ControlRequest): Promise<ControlReply> {
  const log = pino({ level: 'warn' }, pino.destination(2));
  const db = await openStore(config, log);
  const ctx = { db, now: () => new Date(), log };
  return runCommand(ctx, config.baseUrl, request).finally(() => db.close());
}

async function orExit(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof DataFolderInUse;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${isExpected ? '' : 'Could not start: '}${message}\n`);
    process.exitCode = 1;
  }
}
