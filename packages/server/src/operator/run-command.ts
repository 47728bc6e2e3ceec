import { ServiceError } from '@svc/contract';
import type { Context } from '../context.ts';
import { restoreAccountCommand, suspendAccountCommand } from './accounts.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { type OperatorCommand, OperatorError } from './command.ts';
import type { ControlReply, ControlRequest } from './control-socket.ts';
import { explainCommand } from './explain.ts';
import { regenerateKeyCommand, requireRotationCommand } from './keys.ts';
import { listOwedCommand, repairOwedCommand } from './owed-commissions.ts';
import { listProcessorEventsCommand, replayProcessorEventsCommand } from './processor-events.ts';
import { setup } from './setup.ts';

export const operatorCommands: OperatorCommand[] = [
  setup,
  regenerateKeyCommand,
  requireRotationCommand,
  listOwedCommand,
  repairOwedCommand,
  explainCommand,
  suspendAccountCommand,
  restoreAccountCommand,
  listProcessorEventsCommand,
  replayProcessorEventsCommand,
  backupCommand,
  restoreCommand,
];

/** Runs an operator command on an open store; what the operator did wrong comes back as words. */
export async function runCommand(ctx: Context, baseUrl: string, request: ControlRequest): Promise<ControlReply> {
  const command = operatorCommands.find(({ name }) => name === request.command);
  if (!command) return { ok: false, text: `There is no command "${request.command}"` };
  try {
    const result = await command.run(ctx, request.options as Record<string, string | undefined>, baseUrl);
    return { ok: true, ...result };
  } catch (error) {
    if (error instanceof OperatorError || error instanceof ServiceError) return { ok: false, text: error.message };
    ctx.log.error({ err: error, command: command.name }, 'An operator command failed');
    return { ok: false, text: `The command failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}
