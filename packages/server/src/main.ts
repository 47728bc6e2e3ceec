#!/usr/bin/env node
import cluster from 'node:cluster';
import { Command } from 'commander';
import type { Config } from './config.ts';
import { ExpectedError } from './expected-error.ts';
import type { MailQueue } from './mail/mail-queue.ts';
import { operatorCommands } from './operator/commands.ts';
import { RELEASE } from './release.ts';

// Everything that the service or a command writes is for this user only: the store, the secret, backups.
process.umask(0o077);

// The code of a command is loaded when the command runs, so that `--help` is fast.

const program = new Command('svc-server')
  .description('Runs the attribution service and manages its installation.')
  .version(RELEASE, '--version', 'print the release');

program
  .command('serve', { isDefault: true })
  .description('run the service')
  .action(() =>
    orExit(async () => {
      const { readConfig } = await import('./config.ts');
      const config = readConfig(process.env);
      if (cluster.isWorker) return serveAsWorker(config);
      process.stderr.write('Starting…\n');
      if (config.workers > 1) return (await import('./serve-with-workers.ts')).serveWithWorkers(config);
      return (await import('./serve.ts')).serve(config);
    }),
  );

for (const definition of operatorCommands) {
  const command = program.command(definition.name).description(definition.description);
  if (definition.alias) command.alias(definition.alias);
  for (const option of definition.options) {
    if (option.required) command.requiredOption(option.flags, option.description);
    else command.option(option.flags, option.description, option.default);
  }
  command.option('--json', 'print the result as JSON');
  command.action(({ json, ...options }) =>
    orExit(async () => {
      const { readConfig } = await import('./config.ts');
      const { runOnInstallation } = await import('./operator/run-on-installation.ts');
      const config = readConfig(process.env);
      // Apart from the result, which scripts read.
      const report = (line: string) => void process.stderr.write(`${line}\n`);
      const installation = {
        mail: () => openQueue(config),
        secrets: async () => (await import('./secret.ts')).loadDataSecrets(config),
      };
      const reply = await runOnInstallation(config, definition, options, report, installation);
      const { printableLines } = await import('./operator/printable.ts');
      if (!reply.ok) throw new ExpectedError(printableLines(reply.text));
      process.stdout.write(`${printableLines(json ? JSON.stringify(reply.data, null, 2) : reply.text)}\n`);
    }),
  );
}

await program.parseAsync();

/** Another process has started this one, and starts it again should it end. */
async function serveAsWorker(config: Config): Promise<void> {
  const { joinSupervisor } = await import('./workers/join-supervisor.ts');
  const supervisor = joinSupervisor();
  const { serve } = await import('./serve.ts');
  await serve(config, supervisor);
}

/** What a command causes is mailed by the service. */
async function openQueue(config: Config): Promise<MailQueue | undefined> {
  if (!config.mail) return undefined;
  const [{ createConfiguredQueue }, { loadSecret }] = await Promise.all([
    import('./mail-from-config.ts'),
    import('./secret.ts'),
  ]);
  return createConfiguredQueue(config, await loadSecret(config));
}

async function orExit(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${error instanceof ExpectedError ? '' : 'Could not start: '}${message}\n`);
    process.exitCode = 1;
  }
}
